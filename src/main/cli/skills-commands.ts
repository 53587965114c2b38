import { InvalidArgumentError, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from './command-line.ts'
import type { CommonOptions } from './skills-actions.ts'

const load = () => import('./skills-actions.ts')
const loadOutside = () => import('./skills-import.ts')
const skillsSwitch = loadOnRun(load, skills => skills.skillsSwitch)

/** Add the commands about skills. */
export function addSkillsCommands(program: Command): void {
  const skills = program
    .command('skills')
    .description('see, bring, check and switch the skills of the agent')
    .addHelpText(
      'after',
      `
A skill is meant by its name, or by its id (own/writing/haiku) where several have one name. Whatever is changed, by
whomever, can be taken back at any time.

Examples:
  talaria skills list
  talaria skills view clean-csv
  talaria skills import ~/Downloads/skills.zip
  talaria skills import https://forge.example/owner/repository/tree/main/skills/haiku
  talaria skills enable haiku
  talaria skills scan ~/Downloads/skills
  talaria skills export haiku clean-csv -o my-skills.zip
  talaria skills undo

Exit codes: 0 done, 1 it failed, was not wanted, or a scan found something dangerous, 2 bad usage, or nothing that can
be imported.`,
    )
  withCommon(skills.command('list').description('print the skills: their state, origin, uses and tokens'))
    .option('--all', 'with those that another skill of the same name hides')
    .action(loadOnRun(load, skills => skills.skillsList))
  withCommon(
    skills.command('view <name> [file]').description('print SKILL.md, or another file of a skill'),
  ).action(loadOnRun(load, skills => skills.skillsView))
  addImport(withCommon(skills.command('import <path|address|->')))
  withCommon(skills.command('export <name...>').description('write skills into a zip'))
    .option('-o, --output <file.zip>', 'where to (default: the current folder)')
    .option('--force', 'replace a file that is there')
    .action(loadOnRun(load, skills => skills.skillsExport))
  addScan(withCommon(skills.command('scan <path|name>')))
  withCommon(skills.command('enable <name...>').description('let the agent use skills'))
    .option('--accept', 'although the scan found something dangerous: you have read it')
    .action((names: string[], options: CommonOptions) => skillsSwitch(names, true, options))
  withCommon(skills.command('disable <name...>').description('keep skills from the agent')).action(
    (names: string[], options: CommonOptions) => skillsSwitch(names, false, options),
  )
  withCommon(skills.command('history [name]').description('print who changed what, the newest first'))
    .option('--limit <n>', 'how many changes', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, skills => skills.skillsHistory))
  withCommon(skills.command('undo').description('take changes back (default: the newest)'))
    .argument('[number...]', 'numbers of changes, as the history shows them, or several as 3-17', numbers, [])
    .action(loadOnRun(load, skills => skills.skillsUndo))
}

function addImport(command: Command): void {
  command
    .description('bring skills from outside; shows what would come and what the scan found, and asks first')
    .option('--yes', 'do not ask')
    .option('--on', 'switch them on, also those with scripts; what is dangerous stays off')
    .option('--as <name>', 'give the skill another name')
    .option('--only <name...>', 'these skills of a collection')
    .option('--ref <name>', 'a branch, a tag or a commit of a repository')
    .addHelpText(
      'after',
      `
It takes a folder, a SKILL.md, a zip, the address of a git repository or of a folder in one as the browser shows it, or
a text from standard input (-). Nothing of it is run. New skills are on, unless they have scripts or the scan found
something. A skill of that name that was imported before is replaced; edits of yours stay above it.

Examples:
  talaria skills import ~/Downloads/skills.zip
  talaria skills import git@forge.example:owner/repository.git --ref v1.2 --only haiku
  talaria skills import ./haiku --as my-haiku --yes
  cat SKILL.md | talaria skills import - --yes

Exit codes: 0 done, 1 it failed, was stopped or not wanted, 2 bad usage, or nothing that can be imported.`,
    )
    .action(exitBy(loadOnRun(loadOutside, skills => skills.skillsImport)))
}

function addScan(command: Command): void {
  command
    .description('look for what is dangerous in a folder, a file, a zip, or a skill that is there')
    .addHelpText(
      'after',
      `
For a path it needs neither a home folder nor a running Talaria, and changes nothing. It finds what can be found by
reading: a skill that passes can still be harmful.

Examples:
  talaria skills scan ~/Downloads/skills
  talaria skills scan ./SKILL.md --json
  talaria skills scan haiku

Exit codes: 0 nothing dangerous was found, 1 something was, or it failed, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(loadOutside, skills => skills.skillsScan)))
}

/** Maximum changes to undo at once. */
const MAX_UNDONE = 1_000

function numbers(text: string, before: number[]): number[] {
  const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (!(first >= 1 && last >= first && last - first < MAX_UNDONE))
    throw new InvalidArgumentError('The number of a change, or several as 3-17.')
  // Newest first, because later changes build on earlier ones.
  return [...before, ...Array.from({ length: last - first + 1 }, (_, at) => last - at)]
}
