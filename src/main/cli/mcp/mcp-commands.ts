import type { Command } from 'commander'
import { exitBy, loadOnRun, withCommon, withHome } from '../command-line.ts'

const load = () => import('./mcp-actions.ts')
const loadServing = () => import('./mcp-serve.ts')

const collect = (value: string, before: string[] = []) => [...before, value]

/** Add the commands about MCP servers. */
export function addMcpCommands(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('connect MCP servers, and let other programs read from Talaria over MCP')
    .addHelpText(
      'after',
      `
Servers in the .mcp.json of a folder are listed once you trust the folder, and run once you accept them. Before a server is
added, Talaria shows its whole command and asks you. A server or a tool that changes later is off until you accept it again.
Keys go to the vault: write \${NAME} in --env or --header, and store NAME with "talaria config set NAME".

In the other direction, “serve” lets a program such as Claude Code search your memory, chats and skills. Each program has its own
key and can read nothing until you allow it in the window. What it reads is sent to that program’s provider.

Examples:
  talaria mcp serve --print claude
  talaria mcp add files --cwd ~/Documents -- node server.js ~/Documents
  talaria mcp add docs --url http://127.0.0.1:3000/mcp
  talaria mcp test files
  talaria mcp call files read_file '{"path": "notes.txt"}'

Exit codes: 0 done, 1 failed or declined, 2 bad usage.`,
    )
  withCommon(mcp.command('list').description('print the servers with their states and tools')).action(
    loadOnRun(load, actions => actions.mcpList),
  )
  withCommon(mcp.command('add <name> [command...]').description('add a server, after showing what it runs'))
    .option('--url <address>', 'a server at an address, instead of a command')
    .option('--env <NAME=value>', 'a variable for the program; may be given several times', collect)
    .option('--header <Name=value>', 'a header for the address; may be given several times', collect)
    .option('--cwd <dir>', 'the folder that the program may write to (default: its own folder)')
    .option('--network', 'let the confined program use the network')
    .option('--about <text>', 'one line about the server, for the model')
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.mcpAdd)))
  withCommon(
    mcp.command('remove <name>').description('remove a server, and everything that you accepted for it'),
  )
    .option('--for-good', 'remove it immediately with its keys; it cannot be restored')
    .action(loadOnRun(load, actions => actions.mcpRemove))
  withCommon(
    mcp.command('restore <name>').description('bring back a server that was removed less than a minute ago'),
  ).action(loadOnRun(load, actions => actions.mcpRestore))
  withCommon(
    mcp.command('test <name>').description('start a server and list its tools and their problems'),
  ).action(exitBy(loadOnRun(load, actions => actions.mcpTest)))
  withCommon(
    mcp
      .command('call <name> <tool> [json]')
      .description('call a tool with these arguments, and print the result'),
  ).action(exitBy(loadOnRun(load, actions => actions.mcpCall)))
  withCommon(
    mcp.command('accept <name> [tool]').description('accept a changed server, or the new text of a tool'),
  )
    .option(
      '--any-text',
      'for a tool whose text changes at every start: only its name and schema have to stay the same',
    )
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.mcpAccept)))
  withCommon(
    mcp
      .command('pin <name>')
      .description('write the exact version of its package into the command of a server, after showing it'),
  )
    .option('--yes', 'do not ask')
    .action(exitBy(loadOnRun(load, actions => actions.mcpPin)))
  withCommon(
    mcp
      .command('allow <name> <tool>')
      .description('let a tool run without a question, until it or its server changes'),
  ).action(loadOnRun(load, actions => actions.mcpAllow))
  withCommon(mcp.command('ask <name> <tool>').description('ask before each call of a tool again')).action(
    loadOnRun(load, actions => actions.mcpAsk),
  )
  for (const [verb, says] of [
    ['enable', 'let chats use a server, or one tool of it'],
    ['disable', 'keep chats from using a server, or one tool of it'],
  ] as const)
    withCommon(mcp.command(`${verb} <name> [tool]`).description(says)).action(
      loadOnRun(load, actions => actions[verb === 'enable' ? 'mcpEnable' : 'mcpDisable']),
    )
  withHome(
    mcp
      .command('serve')
      .description('serve the program that started this command, over standard input and output'),
  )
    .option(
      '--print <program>',
      'print the entry that another program needs to start this command, with a new key: claude, claude-desktop, vscode, cursor, lmstudio, pi, opencode, gemini, codex, goose, hermes, other',
    )
    .option('--name <name>', 'the name of that program in Talaria')
    .action(loadOnRun(loadServing, actions => actions.mcpServe))
  withCommon(
    mcp.command('agents [name]').description('print the programs that may read from Talaria, or one of them'),
  )
    .option('--requests', 'also print what the program asked for and got')
    .option('--off', 'let the program read nothing until you allow it again in the window')
    .option('--remove', 'remove the program; its key stops working')
    .action(loadOnRun(loadServing, actions => actions.mcpAgents))
}
