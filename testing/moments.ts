/**
 * The moments at which a test kills a process: some that differ most, or all if `npm run test:long --
 * moments` runs the test. Each kill costs the start of a process, and often of a host before and after it.
 */
export const moments = <T>({ every, some }: { every: readonly T[]; some: readonly T[] }): readonly T[] =>
  process.env['TALARIA_MOMENTS'] === 'every' ? every : some
