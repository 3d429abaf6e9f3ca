"""How the shipped task set is made: icons -> filters -> selection -> objects -> initial poses -> files."""
