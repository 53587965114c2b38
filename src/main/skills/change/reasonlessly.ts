/** What work gives, or undefined when the file system refuses it, for whatever reason. */
export function reasonlessly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
