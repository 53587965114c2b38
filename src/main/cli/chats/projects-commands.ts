import { Option, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const load = () => import('./projects-actions.ts')

/** Add the commands of projects. */
export function addProjectsCommands(program: Command): void {
  const projects = program
    .command('projects')
    .description('projects: chats that belong together, with instructions and settings of their own')
    .addHelpText(
      'after',
      `
A project is named by its name, its id or the end of that. What is set for a chat counts before its project, and that before
its folder. A chat that is started in the folder of a project belongs to it. Instructions reach new chats at once; add
--apply for those that have begun. The built-in model gets none.

Examples:
  talaria projects create Thesis --folder ~/thesis --instructions 'Cite sources.'
  talaria projects set Thesis --model builtin --approve reads --temperature 0.2
  talaria projects set Thesis --instructions-file house-style.md --apply
  talaria projects move Thesis 1qdg344
  talaria projects move --none 1qdg344
  talaria chat --project Thesis

Exit codes: 0 done, 1 failed or declined, 2 bad usage, or no such project or chat.`,
    )
  withCommon(projects.command('list', { isDefault: true }).description('print the projects')).action(
    loadOnRun(load, actions => actions.listProjects),
  )
  withCommon(
    projects.command('show <name>').description('print what is set for a project, and its chats'),
  ).action(loadOnRun(load, actions => actions.showProject))
  withSettings(projects.command('create <name>').description('make a project')).action(
    loadOnRun(load, actions => actions.createProject),
  )
  withSettings(projects.command('set <name>').description('change what is set for a project'))
    .option('--name <text>', 'another name')
    .option('--apply', 'its chats read the instructions with their next message')
    .action(loadOnRun(load, actions => actions.setProject))
  withCommon(
    projects
      .command('move <names...>')
      .description('move chats: first the project, then the ids of the chats'),
  )
    .option('--none', 'out of their projects; then only the ids of the chats follow')
    .action(loadOnRun(load, actions => actions.moveChats))
  withCommon(
    projects.command('remove <name>').description('remove a project; its chats, folder and notes stay'),
  )
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.removeProject)))
}

/** An empty text removes a setting. */
const withSettings = (command: Command): Command =>
  withCommon(command)
    .option('--folder <dir>', 'the folder that its new chats work in')
    .option('--instructions <text>', 'what every chat of it is told')
    .option('--instructions-file <file>', 'the same from a file, which is checked first')
    .option('--model <id>', 'the model of new chats')
    .addOption(
      new Option('--approve <what>', 'the mode of new chats').choices(['ask', 'reads', 'all', 'none', '']),
    )
    .option('--skills <names>', 'the only skills of its chats, such as haiku,deploy; “all” for all')
    .option('--temperature <n>')
    .option('--top-p <n>')
    .option('--top-k <n>')
    .option('--min-p <n>')
    .option('--repeat-penalty <n>')
    .option('--seed <n>')
    .option('--max-tokens <n>', 'the longest reply')
