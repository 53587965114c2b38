import { InvalidArgumentError } from 'commander'

/** A whole number within limits, as text on the command line. */
export const whole = (min: number, max: number) => (text: string) => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new InvalidArgumentError(`A whole number from ${min} to ${max}.`)
}
