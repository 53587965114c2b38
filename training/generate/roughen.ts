import type { Random } from './random.ts'

/**
 * Change a few lines of a prompt a little: a line that was edited since the training must not throw the model. Words go,
 * change places or are doubled, or a line goes; the call that is shown stays as it is.
 */
export function roughen(random: Random, prompt: string): string {
  const lines = prompt.split('\n')
  for (let count = random.between(1, 4); count > 0; count--) {
    const at = random.below(lines.length)
    const line = lines[at]!
    if (line.trim() === '' || /tool_call|"arguments"|^## (About|Your)|^- (User|The) /.test(line)) continue
    const words = line.split(' ')
    const place = random.between(1, Math.max(1, words.length - 2))
    const way = random.below(4)
    if (way === 0 && line.startsWith('- ')) lines.splice(at, 1)
    else if (words.length < 4) continue
    else if (way === 1) lines[at] = words.toSpliced(place, 1).join(' ')
    else if (way === 2) lines[at] = words.toSpliced(place, 2, words[place + 1] ?? '', words[place]!).join(' ')
    else lines[at] = words.toSpliced(place, 0, words[random.below(words.length)]!).join(' ')
  }
  return lines.join('\n')
}
