"""One server's tables: who is at home, who conducts, who thinks, what is tidied; limits."""
