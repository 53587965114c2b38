/** What the end of a text may consist of at most before it counts as noise: `most` different characters over `length`. */
const NOISE = [
  // A laugh of two hundred “ha” and a very long “nooo” are shorter.
  { length: 700, most: 4, made: /^[\p{L}\s]+$/u },
  // Rules, dotted lines and empty tables are made of other marks; a filled box of twenty lines is shorter.
  { length: 1_600, most: 3, made: /^[^\p{L}\p{N}|.\-_=+]+$/u },
]

/** Whether the end of a text is made of a few characters only, such as `YzYzYz` or lines of `#`, as broken models write. */
export const isNoise = (text: string): boolean =>
  NOISE.some(({ length, most, made }) => {
    const end = text.slice(-length)
    return end.length === length && made.test(end) && new Set(end.replace(/\s/g, '')).size <= most
  })
