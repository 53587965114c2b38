import { InvalidArgumentError, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from '../command-line.ts'
import type { CommonOptions } from './skills-actions.ts'

const load = () => import('./skills-actions.ts')
const loadKeys = () => import('./skills-keys.ts')
const loadOutside = () => import('./skills-import.ts')
const skillsSwitch = loadOnRun(load, skills => skills.skillsSwitch)
const bundlesSwitch = loadOnRun(load, skills => skills.bundlesSwitch)
const skillsTrust = loadOnRun(load, skills => skills.skillsTrust)
const skillsPin = loadOnRun(load, skills => skills.skillsPin)

/** Add the commands about skills. */
export function addSkillsCommands(program: Command): void {
  const skills = program
    .command('skills')
    .description('list, import, scan, switch and pin the skills of the agent')
    .addHelpText(
      'after',
      `
Name a skill by its name, or by its id (own/writing/haiku) if several have the same name. You can undo every change at
any time, whoever made it.

Examples:
  talaria skills list
  talaria skills view clean-csv
  talaria skills import ~/Downloads/skills.zip
  talaria skills import https://forge.example/owner/repository/tree/main/skills/haiku
  talaria skills enable haiku
  talaria skills scan ~/Downloads/skills
  talaria skills export haiku clean-csv -o my-skills.zip
  talaria skills trust ~/code/shop
  talaria skills bundles make writing haiku weekly-review
  talaria skills bundles off writing
  talaria skills keys set gif-search TENOR_API_KEY
  talaria skills undo

Exit codes: 0 done, 1 failed, declined, or a scan found something dangerous, 2 bad usage or nothing to import.`,
    )
  withCommon(
    skills
      .command('list', { isDefault: true })
      .description('print the skills: their state, origin, uses and tokens'),
  )
    .option('--all', 'include skills hidden by another skill of the same name')
    .action(loadOnRun(load, skills => skills.skillsList))
  withCommon(
    skills.command('view <name> [file]').description('print SKILL.md, or another file of a skill'),
  ).action(loadOnRun(load, skills => skills.skillsView))
  addImport(withCommon(skills.command('import <path|address|->')))
  withCommon(skills.command('export <name...>').description('write skills to a zip'))
    .option('-o, --output <file.zip>', 'the file to write (default: in the current folder)')
    .option('--force', 'replace an existing file')
    .action(loadOnRun(load, skills => skills.skillsExport))
  addScan(withCommon(skills.command('scan <path|name>')))
  withCommon(skills.command('enable <name...>').description('let the agent use skills'))
    .option('--accept', 'enable them despite the findings of the scan, because you have read these')
    .action((names: string[], options: CommonOptions) => skillsSwitch(names, true, options))
  withCommon(skills.command('disable <name...>').description('do not let the agent use skills')).action(
    (names: string[], options: CommonOptions) => skillsSwitch(names, false, options),
  )
  withCommon(
    skills.command('pin <name...>').description('protect skills from deletion, and from changes by reviews'),
  ).action((names: string[], options: CommonOptions) => skillsPin(names, true, options))
  withCommon(skills.command('unpin <name...>').description('remove the protection of skills')).action(
    (names: string[], options: CommonOptions) => skillsPin(names, false, options),
  )
  withCommon(
    skills
      .command('trust <path>')
      .description(
        'use the skills of a folder in chats that work there, or the skills behind a link in your own skills folder',
      ),
  ).action((path: string, options: CommonOptions) => skillsTrust(path, true, options))
  withCommon(skills.command('untrust <path>').description('stop trusting a folder or a link')).action(
    (path: string, options: CommonOptions) => skillsTrust(path, false, options),
  )
  const bundles = skills
    .command('bundles')
    .description('manage bundles: named sets of skills that you switch together')
  withCommon(bundles.command('list', { isDefault: true }).description('print the bundles')).action(
    loadOnRun(load, skills => skills.bundlesList),
  )
  withCommon(
    bundles
      .command('make <bundle> <skill...>')
      .description('create a bundle, or replace the bundle with that name'),
  ).action(loadOnRun(load, skills => skills.bundlesMake))
  withCommon(bundles.command('remove <bundle>').description('remove a bundle; its skills stay')).action(
    loadOnRun(load, skills => skills.bundlesRemove),
  )
  withCommon(bundles.command('on <bundle>').description('switch all skills of a bundle on')).action(
    (name: string, options: CommonOptions) => bundlesSwitch(name, true, options),
  )
  withCommon(bundles.command('off <bundle>').description('switch all skills of a bundle off')).action(
    (name: string, options: CommonOptions) => bundlesSwitch(name, false, options),
  )
  addKeys(skills.command('keys').description('manage the keys that skills ask for'))
  withCommon(skills.command('history [name]').description('print who changed what, newest first'))
    .option('--limit <n>', 'maximum number of changes', wholeNumber(1, 200), 20)
    .action(loadOnRun(load, skills => skills.skillsHistory))
  withCommon(skills.command('undo').description('undo changes (default: the newest)'))
    .argument('[number...]', 'numbers of changes, from the history; 3-17 is a range', numbers, [])
    .action(loadOnRun(load, skills => skills.skillsUndo))
}

function addKeys(keys: Command): void {
  keys.addHelpText(
    'after',
    `
A key is stored with your other keys, for one skill only, and is never printed. Commands get it in their environment while the
agent answers a message for which the skill was loaded.

Examples:
  talaria skills keys list
  talaria skills keys set gif-search TENOR_API_KEY
  talaria skills keys set gif-search TENOR_API_KEY --stdin < key.txt
  talaria skills keys unset gif-search TENOR_API_KEY`,
  )
  withCommon(
    keys.command('list [skill]', { isDefault: true }).description('print which keys are stored or missing'),
  ).action(loadOnRun(loadKeys, of => of.keysList))
  withCommon(keys.command('set <skill> <NAME>').description('store a key; asks for it without showing it'))
    .option('--stdin', 'read the key from standard input')
    .action(loadOnRun(loadKeys, of => of.keysSet))
  withCommon(keys.command('unset <skill> <NAME>').description('remove a key')).action(
    loadOnRun(loadKeys, of => of.keysUnset),
  )
}

function addImport(command: Command): void {
  command
    .description('import skills; shows a preview with the result of the scan, and asks first')
    .option('--yes', 'do not ask')
    .option('--on', 'enable the skills, including those with scripts; dangerous skills stay off')
    .option(
      '--accept',
      'also import skills that need your confirmation, because you have read their findings',
    )
    .option('--as <name>', 'import the skill under another name')
    .option('--only <name...>', 'only these skills of a collection')
    .option('--ref <name>', 'a branch, a tag or a commit of a repository')
    .addHelpText(
      'after',
      `
Accepts a folder, a SKILL.md, a zip, the address of a git repository or of a folder in it as the browser shows it, or
text from standard input (-). Nothing in the import is run. New skills are on unless they have scripts or the scan found
something. An imported skill of the same name is replaced; your edits of it stay in use.

Examples:
  talaria skills import ~/Downloads/skills.zip
  talaria skills import git@forge.example:owner/repository.git --ref v1.2 --only haiku
  talaria skills import ./haiku --as my-haiku --yes
  cat SKILL.md | talaria skills import - --yes

Exit codes: 0 done, 1 failed, stopped or declined, 2 bad usage or nothing to import.`,
    )
    .action(exitBy(loadOnRun(loadOutside, skills => skills.skillsImport)))
}

function addScan(command: Command): void {
  command
    .description('scan a folder, a file, a zip or an installed skill for dangerous text')
    .addHelpText(
      'after',
      `
To scan a path, the command needs neither a home folder nor a running Talaria. It changes nothing. A skill that passes the
scan can still be harmful.

Examples:
  talaria skills scan ~/Downloads/skills
  talaria skills scan ./SKILL.md --json
  talaria skills scan haiku

Exit codes: 0 nothing dangerous was found, 1 something dangerous was found or the scan failed, 2 bad usage. Findings that
only call for caution are printed, and end with 0.`,
    )
    .action(exitBy(loadOnRun(loadOutside, skills => skills.skillsScan)))
}

/** Maximum changes to undo at once. */
const MAX_UNDONE = 1_000

function numbers(text: string, before: number[]): number[] {
  const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  const [first, last] = [Number(from), Number(to)]
  if (!(first >= 1 && last >= first && last - first < MAX_UNDONE))
    throw new InvalidArgumentError('Enter the number of a change, or a range such as 3-17.')
  // Newest first, because later changes build on earlier ones.
  return [...before, ...Array.from({ length: last - first + 1 }, (_, at) => last - at)]
}
