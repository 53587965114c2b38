import { Argument, Option, type Command } from 'commander'
import type { RuleEffect } from '../../../shared/contract/runs/permissions.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import { exitBy, loadOnRun, withCommon } from '../command-line.ts'

const loadActions = () => import('./permissions-actions.ts')
const loadToolsActions = () => import('./tools-actions.ts')
const switchToolsets = loadOnRun(loadToolsActions, actions => actions.switchToolsets)

const effects = Object.keys({ never: 0, ask: 0, allow: 0 } satisfies Record<RuleEffect, 0>)
const modes = Object.keys({ ask: 0, reads: 0, full: 0, none: 0, chat_only: 0 } satisfies Record<
  ApprovalMode,
  0
>)

/** Add the commands about standing rules. */
export function addPermissionsCommands(program: Command): void {
  const permissions = program
    .command('permissions')
    .description('manage your rules: what never runs, what always asks, and what is always allowed')
    .addHelpText(
      'after',
      `
“never” takes precedence over “ask”, and “ask” over “allow”, in every mode. A rule is about the words of one simple command.
“never” and “ask” also apply with more words and flags. “allow” applies to exactly these words; with “*” as the last word, also
with more words that are not flags. Programs that run other programs or code, such as sh, python, xargs or env, cannot be
allowed for good. “--tool obeyed” is about files that programs obey without asking you, such as .vscode, AGENTS.md and git hooks.
If you allow it in a folder, commands that run there without asking may change these files. No rule gives a command access to
keys, or allows what is refused in every mode.

Examples:
  talaria permissions list
  talaria permissions add never "git push --force"
  talaria permissions add ask "npm publish" --folder ~/work
  talaria permissions add allow "npm test" --folder ~/work/site
  talaria permissions add allow "git fetch *" --folder ~/work --network
  talaria permissions add never --tool write --folder ~/work/archive
  talaria permissions add allow --tool obeyed --folder ~/work/site
  talaria permissions test "git fetch origin && npm test" --folder ~/work/site

Exit codes: 0 done, 1 failed, 2 bad usage.`,
    )

  withCommon(
    permissions.command('list', { isDefault: true }).description('print the rules, strictest first'),
  ).action(loadOnRun(loadActions, actions => actions.listPermissions))
  withCommon(
    permissions
      .command('add')
      .description('add a rule')
      .addArgument(new Argument('<effect>', 'what the rule does').choices(effects))
      .argument('[command...]', 'one simple command, best in quotes'),
  )
    .option('--tool <name>', 'a tool, or read, write, obeyed or * for several (default: terminal)')
    .option('--folder <dir>', 'only in this folder and below (default: everywhere)')
    .option('--network', 'let the allowed command use the network')
    .option('--unconfined', 'let the allowed command also run where nothing confines commands')
    .action(loadOnRun(loadActions, actions => actions.addPermission))
  withCommon(permissions.command('remove <id...>').description('remove rules')).action(
    loadOnRun(loadActions, actions => actions.removePermissions),
  )
  withCommon(
    permissions
      .command('test <command...>')
      .description('print what would happen to a command and why, without running it'),
  )
    .option('--folder <dir>', 'the folder of the chat (default: the current folder)')
    .addOption(
      new Option('--mode <mode>', 'the mode of the chat (default: the mode of new chats)').choices(modes),
    )
    .action(loadOnRun(loadActions, actions => actions.testPermission))
}

/** Add the commands about toolsets, which group the tools of agents. */
export function addToolsCommands(program: Command): void {
  const tools = program
    .command('tools')
    .description('switch toolsets: the tools of the agent in every chat, in a folder or in one chat')
    .addHelpText(
      'after',
      `
A switch for a chat takes precedence over one for its folder, and both over one for every chat. Tools that are off are refused
immediately. The model is told about the change in new chats, or with “Apply here now” in the window.

Your own toolsets are in config.yaml:
  toolsets:
    own:
      coding: { includes: [files, terminal] }
      looking: { tools: [read_file, list_files, search_files] }

Examples:
  talaria tools list
  talaria tools disable terminal
  talaria tools enable terminal --folder ~/work/site
  talaria tools disable memory skills --chat chat_1mcc5yv8zmq8yeyss
  talaria tools reset terminal
  talaria chat --tools files,memory

Exit codes: 0 done, 1 failed or config.yaml has a mistake in its toolsets, 2 bad usage.`,
    )
  const atPlace = (command: Command) =>
    withCommon(command)
      .option('--folder <dir>', 'for chats in this folder and below')
      .option('--chat <id>', 'for one chat')
  atPlace(tools.command('list').description('print the toolsets, whether they are on, and why')).action(
    exitBy(loadOnRun(loadToolsActions, actions => actions.listToolsets)),
  )
  atPlace(tools.command('enable <toolset...>').description('switch toolsets on')).action((names, options) =>
    switchToolsets(names, true, options),
  )
  atPlace(tools.command('disable <toolset...>').description('switch toolsets off')).action((names, options) =>
    switchToolsets(names, false, options),
  )
  atPlace(
    tools.command('reset <toolset...>').description('remove the switches, so that the default applies again'),
  ).action((names, options) => switchToolsets(names, null, options))
}
