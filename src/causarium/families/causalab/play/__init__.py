"""How an instance is played: its words, what replies mean, and the worlds behind them."""
