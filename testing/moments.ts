/**
 * The moments at which a test kills a process: some that differ most, or every one where `npm run test:long -- moments` runs the
 * test. A kill costs a start of a process, and often of a host before and after it.
 */
export const moments = <T>({ every, some }: { every: readonly T[]; some: readonly T[] }): readonly T[] =>
  process.env['TALARIA_MOMENTS'] === 'every' ? every : some
