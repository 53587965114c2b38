import { mkdirSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { absolutePath, withHome } from '../command-line.ts'

type Options = {
  home?: string
  workspace?: string
  port?: string
  open?: boolean
  api?: true
  install?: true
}

/** Add the command that serves without a window. */
export function addServeCommand(program: Command): void {
  withHome(
    program
      .command('serve')
      .description('run Talaria without a window, for schedules, messengers and a browser on this computer'),
  )
    .option('--workspace <dir>', 'the folder for new chats')
    .option('--port <number>', 'the port on this computer (default: any free one)')
    .option('--open', 'open the browser')
    .option('--api', 'answer other programs, even if the setting is off; see “talaria api”')
    .option('--install', 'write the file that starts Talaria at login, and print how to switch it on')
    .addHelpText(
      'after',
      `
This command answers on this computer only, and prints an address that opens one window in a browser. Schedules run and
messengers are answered while it runs. For a server without a screen, see docs/guide/small-server.md.

Exit codes: 0 ended by a signal, 1 failed, 2 bad usage.`,
    )
    .action(serve)
}

async function serve({ install, ...options }: Options): Promise<void> {
  const args = argumentsOf(options)
  if (install) return await installService(args)
  const { serveBrowser } = await import('../../serve-browser.ts')
  await serveBrowser([...args, ...(options.open === true ? [] : ['--no-open'])])
}

const argumentsOf = ({ home, workspace, port, api }: Options): string[] => [
  ...(home === undefined ? [] : ['--home', absolutePath(home)]),
  ...(workspace === undefined ? [] : ['--workspace', absolutePath(workspace)]),
  ...(port === undefined ? [] : ['--port', port]),
  ...(api ? ['--api'] : []),
]

async function installService(args: readonly string[]): Promise<void> {
  const [{ serviceFile }, { writeAtomic }, { printLine }, { readStartOptions }] = await Promise.all([
    import('./service-files.ts'),
    import('../../lib/disk/durable-files.ts'),
    import('../output/terminal-text.ts'),
    import('../../app/start-options.ts'),
  ])
  // Report a wrong option now, not at the next login.
  readStartOptions([...args], {}, 'strict')
  const launch = { program: process.execPath, args: [process.argv[1]!, 'serve', ...args] }
  const file = serviceFile(launch, {
    platform: process.platform,
    userHome: homedir(),
    configFolder: process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'),
    user: userInfo().username,
  })
  mkdirSync(dirname(file.path), { recursive: true })
  writeAtomic(file.path, file.content)
  printLine(`Written: ${file.path}`)
  printLine(`Switch it on:  ${file.enable}`)
  printLine(`Switch it off: ${file.disable}`)
}
