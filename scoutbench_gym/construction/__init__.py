"""How the shipped catalogue is made: scenes -> what they have -> choice -> what can be seen -> choice -> file."""
