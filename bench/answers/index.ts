import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { median, round } from '../measure.ts'
import type { Measured } from '../run-parts.ts'
import { openPage, type Drawn } from './open-page.ts'
import { makeText, type TextName } from './texts.ts'

const ROUNDS = 1
const STEP = 200
/**
 * The length of a growing answer: it would show if each step read a block again, and it is still drawn as
 * Markdown.
 */
const GROWN = 12_000
const GROWING = ['mixed', 'list', 'paragraph', 'table', 'code', 'notes'] as const satisfies TextName[]
const MARKS = 60_000

/**
 * Answers as the window draws them, in Chromium. Compared are a long one with a short one, one that grows by
 * some words at a time with the same one at once, and text full of marks with an ordinary one. All figures
 * are ratios of the page's work within one run.
 */
export async function benchAnswers(): Promise<Measured> {
  const page = await openPage(rootFolder())
  const drawOften = async (name: TextName, length: number, step?: number): Promise<Drawn> => {
    const text = makeText(name, length)
    const rounds: Drawn[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push(await page.draw(text, step))
    const middle = (of: keyof Drawn) => median(rounds.map(each => each[of]))
    return {
      totalMs: middle('totalMs'),
      longestMs: middle('longestMs'),
      cpuMs: middle('cpuMs'),
      letters: middle('letters'),
    }
  }
  try {
    // The first texts do not count: the code that draws them is not compiled yet.
    await drawOften('mixed', GROWN)
    const tenth = await drawOften('mixed', 50_000)
    const megabyte = await drawOften('mixed', 500_000)
    const figures: Measured = {
      answers_long_work_over_tenth: round(megabyte.cpuMs / tenth.cpuMs),
      answers_long_longest_over_tenth: round(megabyte.longestMs / tenth.longestMs),
      answers_long_longest_share: round((100 * megabyte.longestMs) / megabyte.totalMs),
    }
    for (const name of GROWING) {
      const whole = await drawOften(name, GROWN)
      const grown = await drawOften(name, GROWN, STEP)
      figures[`answers_${name}_grown_over_whole`] = round(grown.cpuMs / whole.cpuMs)
    }
    const marks = await drawOften('marks', MARKS)
    const mixed = await drawOften('mixed', MARKS)
    figures['answers_marks_work_over_mixed'] = round(marks.cpuMs / mixed.cpuMs)
    const marksGrown = await page.draw(makeText('marks', MARKS), STEP)
    const mixedGrown = await page.draw(makeText('mixed', MARKS), STEP)
    figures['answers_marks_grown_over_mixed_grown'] = round(marksGrown.cpuMs / mixedGrown.cpuMs)
    return figures
  } finally {
    await page.close()
  }
}
