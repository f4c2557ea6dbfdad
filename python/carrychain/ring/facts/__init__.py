"""What is true of a function: ranges, demands, orders, what escapes; and the plan by them."""
