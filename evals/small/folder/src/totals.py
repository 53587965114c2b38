"""Adds up the amounts of budget.csv by category."""

import csv
from collections import defaultdict


def totals(path):
    sums = defaultdict(float)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            sums[row["category"]] += float(row["amount"])
    return dict(sums)


if __name__ == "__main__":
    # TODO: take the path from the command line
    for category, amount in totals("budget.csv").items():
        print(f"{category}: {amount:.2f}")
