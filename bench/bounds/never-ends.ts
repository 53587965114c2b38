/** Stands for a function that holds its process up for ever: what the bench does with one is tested with it. */
export function neverEnds(text: string): void {
  while (text !== '' && text !== 'a text') continue
}
