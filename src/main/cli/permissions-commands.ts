import { Argument, Option, type Command } from 'commander'
import type { RuleEffect } from '../../shared/contract/permissions.ts'
import type { ApprovalMode } from '../../shared/contract/session.ts'
import { loadOnRun, withCommon } from './command-line.ts'

const loadActions = () => import('./permissions-actions.ts')

const effects = Object.keys({ never: 0, ask: 0, allow: 0 } satisfies Record<RuleEffect, 0>)
const modes = Object.keys({ ask: 0, reads: 0, full: 0, none: 0, chat_only: 0 } satisfies Record<
  ApprovalMode,
  0
>)

/** Add the commands about standing rules. */
export function addPermissionsCommands(program: Command): void {
  const permissions = program
    .command('permissions')
    .description('rules of yours: what never runs, what always asks, and what always may')
    .addHelpText(
      'after',
      `
“never” beats “ask”, and “ask” beats “allow”, in every mode. A rule is about the words of one simple command.
“never” and “ask” also hold with further words and flags. “allow” holds for exactly these words, or with “*” as the last
word for further ones that are not flags. Programs that run other programs or code, such as sh, python, xargs or env,
cannot be allowed for good. Rules never help a command to keys or to what no mode runs.

Examples:
  talaria permissions list
  talaria permissions add never "git push --force"
  talaria permissions add ask "npm publish" --folder ~/work
  talaria permissions add allow "npm test" --folder ~/work/site
  talaria permissions add allow "git fetch *" --folder ~/work --network
  talaria permissions add never --tool write --folder ~/work/archive
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
    .option('--tool <name>', 'a tool, or read, write or * for several (default: terminal)')
    .option('--folder <dir>', 'only in this folder and below (default: everywhere)')
    .option('--network', 'an allowed command has network')
    .option('--unconfined', 'an allowed command also runs where nothing confines commands')
    .action(loadOnRun(loadActions, actions => actions.addPermission))
  withCommon(permissions.command('remove <id...>').description('remove rules')).action(
    loadOnRun(loadActions, actions => actions.removePermissions),
  )
  withCommon(
    permissions
      .command('test <command...>')
      .description('say what would happen to a command and why, without running it'),
  )
    .option('--folder <dir>', 'the folder of the chat (default: the current one)')
    .addOption(
      new Option('--mode <mode>', 'the mode of the chat (default: that of new chats)').choices(modes),
    )
    .action(loadOnRun(loadActions, actions => actions.testPermission))
}
