/** The words of a text in which commas and line breaks stand between them; each is there once. */
export const list = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map(word => word.trim())
      .filter(word => word !== ''),
  ),
]
