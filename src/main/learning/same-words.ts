/** Whether two texts say the same, word for word; case, spaces and the last full stop do not count. */
export const sameWords = (a: string, b: string): boolean => bare(a) === bare(b)

const bare = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!]+$/, '')
    .trim()
