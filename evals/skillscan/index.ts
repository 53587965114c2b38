import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { givenSamples } from './given-samples.ts'
import { givenLabels, ownSkills } from './labels.ts'
import { measureSkillScan } from './measure.ts'
import { scanSamples } from './scan-samples.ts'

const USAGE = `Usage: npm run -s eval:skillscan [-- --labels FOLDER dev|more]   scores labelled skills; without them those of the repository
   or: npm run -s eval:skillscan -- <folder, SKILL.md or .jsonl of lines>...   only scans`

/**
 * Scans skills as the product does. Prints one JSON line for each, and how many of the labelled ones are
 * blocked.
 */
function main(): void {
  const { labels, given } = readArguments()
  if (labels === undefined && given.length > 0) {
    for (const each of scanSamples(given.flatMap(givenSamples))) console.log(JSON.stringify(each))
    return
  }
  const [split] = given
  const { skills, lines } =
    labels === undefined ? { skills: ownSkills(), lines: [] } : givenLabels(labels, split!)
  const { rows, figures } = measureSkillScan(skills, lines)
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures(`skillscan-${labels === undefined ? 'own' : split}`, figures)
  // Every skill must load, harmful or not, because a person can only decide about what they see.
  process.exitCode = figures['notLoaded'] === 0 ? 0 : 1
}

function readArguments(): { labels: string | undefined; given: string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { labels: { type: 'string' } },
    })
    if (values.labels !== undefined && positionals.length !== 1) fail(USAGE)
    return { labels: values.labels, given: positionals }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

main()
