"""What holds in a function: ranges, demands, orders, escapes; and the plan made from them."""
