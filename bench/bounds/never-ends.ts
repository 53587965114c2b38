/** Never returns if a text begins with a digit. It is there to test the bench. */
export function neverEnds(text: string): void {
  while (/^\d/.test(text)) continue
}
