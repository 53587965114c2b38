"""Converts temperatures between Celsius and Fahrenheit."""


def to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32


def to_celsius(fahrenheit):
    # TODO: refuse what is below absolute zero
    return (fahrenheit - 32) * 5 / 9


if __name__ == "__main__":
    for degrees in (0, 20, 37, 100):
        print(degrees, "C is", to_fahrenheit(degrees), "F")
