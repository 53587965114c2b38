import { InvalidArgumentError } from 'commander'

/** Parse a whole number within limits from the command line. */
export const wholeNumber = (min: number, max: number) => (text: string) => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new InvalidArgumentError(`A whole number from ${min} to ${max}.`)
}

/** A command action whose module is loaded only when the command runs. */
export const loadOnRun =
  <Module, Given extends unknown[], Result>(
    load: () => Promise<Module>,
    choose: (module: Module) => (...given: Given) => Result,
  ) =>
  async (...given: Given): Promise<Awaited<Result>> =>
    await choose(await load())(...given)
