/** Numbers in words, runs of them short: `Pages 1-3 and 7`. Of many, the first ones. */
export function nameNumbers(numbers: readonly number[], one: string, several: string): string {
  if (numbers.length === 1) return `${one} ${numbers[0]}`
  const runs: { from: number; to: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && number === last.to + 1) last.to = number
    else runs.push({ from: number, to: number })
  }
  const shown = runs.slice(0, MOST_RUNS).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const rest = runs.length > MOST_RUNS ? ['others'] : []
  const words = [...shown, ...rest]
  const end = words.length > 1 ? ` and ${words.at(-1)}` : ''
  return `${several} ${(end === '' ? words : words.slice(0, -1)).join(', ')}${end}`
}

const MOST_RUNS = 12
