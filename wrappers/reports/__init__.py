"""Tables, plots and pages. Every one of them is a function of run folders."""
