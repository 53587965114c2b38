/** Holds its process up for ever if a text begins with a digit. The bench is tested with it. */
export function neverEnds(text: string): void {
  while (/^\d/.test(text)) continue
}
