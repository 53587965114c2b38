/** An action of a command whose module, `load`, is loaded when the command runs. */
export const lazily =
  <Module, Given extends unknown[], Result>(
    load: () => Promise<Module>,
    choose: (module: Module) => (...given: Given) => Result,
  ) =>
  async (...given: Given): Promise<Awaited<Result>> =>
    await choose(await load())(...given)
