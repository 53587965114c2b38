import type { Command } from 'commander'
import { exitBy, loadOnRun, withCommon } from './command-line.ts'

const load = () => import('./chats-actions.ts')

/** Add the commands about deleted chats. */
export function addChatsCommands(program: Command): void {
  const chats = program
    .command('chats')
    .description('show, restore and finally remove deleted chats')
    .addHelpText(
      'after',
      `
A deleted chat can be restored for as many days as chats.keep_deleted_days says. Then Talaria removes it for good, with its
results, logs and training data, and from its backups in the home folder. Not reached are files in the folder of the chat,
files that you saved elsewhere, what other chats quoted from it, and the memories, skills and rules that you kept.

Examples:
  talaria chats deleted
  talaria chats restore chat_1m83nq42v21dqg344
  talaria chats purge chat_1m83nq42v21dqg344
  talaria chats purge --all --yes

Exit codes: 0 done, 1 failed or declined, 2 bad usage or no such chat.`,
    )
  withCommon(chats.command('deleted').description('print the deleted chats, newest first')).action(
    loadOnRun(load, actions => actions.chatsDeleted),
  )
  withCommon(chats.command('restore <id...>').description('bring deleted chats back')).action(
    loadOnRun(load, actions => actions.chatsRestore),
  )
  withCommon(
    chats.command('purge [id...]').description('remove deleted chats for good, without waiting; asks first'),
  )
    .option('--all', 'all deleted chats')
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.chatsPurge)))
}
