export const foods = ["cheese", "potatoes", "sausage", "pizza", "chicken", "salad"] as const;
