import { Option, type Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const load = () => import('./projects-actions.ts')

/** Add the commands for projects. */
export function addProjectsCommands(program: Command): void {
  const projects = program
    .command('projects')
    .description('manage projects: chats that belong together, with their own instructions and settings')
    .addHelpText(
      'after',
      `
Name a project by its name, its id or the end of its id. The settings of a chat take precedence over those of its project, and
the project's over those of its folder. A chat that you start in the folder of a project belongs to the project. New chats get
changed instructions immediately; add --apply for existing chats. The built-in model gets no instructions.

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
    projects.command('show <name>').description('print the settings and the chats of a project'),
  ).action(loadOnRun(load, actions => actions.showProject))
  withSettings(projects.command('create <name>').description('create a project')).action(
    loadOnRun(load, actions => actions.createProject),
  )
  withSettings(projects.command('set <name>').description('change the settings of a project'))
    .option('--name <text>', 'the new name of the project')
    .option('--apply', 'apply the instructions to existing chats, from their next message')
    .action(loadOnRun(load, actions => actions.setProject))
  withCommon(
    projects
      .command('move <names...>')
      .description('move chats: first the project, then the ids of the chats'),
  )
    .option('--none', 'move the chats out of their projects; name only the ids of the chats')
    .action(loadOnRun(load, actions => actions.moveChats))
  withCommon(
    projects.command('remove <name>').description('remove a project; its chats, folder and notes stay'),
  )
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.removeProject)))
}

/** Add the options for the settings of a project. An empty text removes a setting. */
const withSettings = (command: Command): Command =>
  withCommon(command)
    .option('--folder <dir>', 'the folder for new chats')
    .option('--instructions <text>', 'instructions for every chat of the project')
    .option('--instructions-file <file>', 'read the instructions from a file, which is checked first')
    .option('--model <id>', 'the model of new chats')
    .addOption(
      new Option('--approve <what>', 'the mode of new chats').choices(['ask', 'reads', 'all', 'none', '']),
    )
    .option('--skills <names>', 'allow only these skills in its chats, such as haiku,deploy; “all” for all')
    .option('--temperature <n>')
    .option('--top-p <n>')
    .option('--top-k <n>')
    .option('--min-p <n>')
    .option('--repeat-penalty <n>')
    .option('--seed <n>')
    .option('--max-tokens <n>', 'maximum length of a reply')
