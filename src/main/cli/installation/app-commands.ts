import { Option, type Command } from 'commander'
import type { LearningMode } from '../../../shared/contract/learned/learning.ts'
import type { DoctorOptions } from './doctor-actions.ts'
import { exitBy, loadOnRun, shareOptions, wholeNumber, withCommon, withHome } from '../command-line.ts'

const learningModes = Object.keys({ ask: 0, save: 0, off: 0 } satisfies Record<LearningMode, 0>)

const loadSetup = () => import('./setup-command.ts')
const loadConfig = () => import('./config-actions.ts')
const loadDoctor = () => import('./doctor-actions.ts')
const loadActions = () => import('./status-actions.ts')
const examineModel = exitBy(loadOnRun(loadDoctor, doctor => doctor.doctorModel))
const lockNetwork = loadOnRun(loadActions, actions => actions.lockNetwork)

/** Add the commands about the installation as a whole: setup, status, address, doctor, usage, network. */
export function addAppCommands(program: Command): void {
  withHome(program.command('setup'))
    .description(
      'first steps: a model, how to learn, a sentence about you; asks for options that you leave out',
    )
    .option('--model <file.gguf>', 'use this model file, without copying it')
    .option(
      '--server <address>',
      'use a server with the OpenAI protocol; its key is read from TALARIA_SERVER_KEY',
    )
    .option('--server-model <name>', 'the name of the model on that server')
    .option('--anthropic', 'the server uses the Anthropic protocol')
    .addOption(new Option('--learning <how>', 'how to learn from chats').choices(learningModes))
    .option('--about <text>', 'a sentence about you that every chat starts with')
    .option(
      '--agent <program>',
      'print how to connect Talaria to another agent; the same as “connect <program> --print”',
    )
    .addHelpText(
      'after',
      `
Without a terminal, this command asks nothing; what you do not name stays unchanged.

Examples:
  talaria setup
  talaria setup --model ~/Downloads/some-model-Q4_K_M.gguf --learning ask
  talaria setup --server http://127.0.0.1:11434/v1 --server-model qwen3:8b`,
    )
    .action(loadOnRun(loadSetup, setupCommand => setupCommand.setupCommand))

  withCommon(program.command('status'))
    .description(
      'show what Talaria is doing: home folder, model, engine, learning, network, sessions of other agents',
    )
    .action(loadOnRun(loadActions, actions => actions.showStatus))

  withCommon(program.command('address'))
    .description('print a new address that opens one window of the running Talaria in a browser')
    .action(loadOnRun(loadActions, actions => actions.printAddress))

  const doctor = withCommon(program.command('doctor'))
    .description('find out what is missing on this computer, without using the network')
    .addHelpText(
      'after',
      '\nExit codes: 0 Talaria works here, 1 something prevents it from working, 2 bad usage.',
    )
    .action(exitBy(loadOnRun(loadDoctor, doctor => doctor.doctorComputer)))
  doctor
    .command('model <file.gguf>')
    .description('test a model file: read it, load it, and let it call three tools, which are not run')
    .option('--json', 'print the whole report as one JSON object')
    .option('--threads <n>', 'threads of the engine (default: chosen for this computer)', wholeNumber(1, 256))
    .option(
      '--context <tokens>',
      'size of the context window (default: engine.context_tokens)',
      wholeNumber(512, 1_048_576),
    )
    .addHelpText(
      'after',
      `
Needs neither a home folder nor a running Talaria. If there is a home folder, the verdict is kept in its cache.

Examples:
  talaria doctor model ~/Downloads/some-model-Q4_K_M.gguf
  talaria doctor model some-model.gguf --context 4096 --json

Exit codes: 0 it loads and all three calls were valid, 1 otherwise, or stopped, 2 bad usage.`,
    )
    .action((file: string, options: DoctorOptions, command: Command) =>
      // The group has a flag of the same name, and commander assigns it to the group.
      examineModel(file, { ...options, ...command.optsWithGlobals<DoctorOptions>() }),
    )

  withCommon(program.command('usage'))
    .description('show tokens, time and cost of recent answers')
    .option('--days <n>', 'number of days', wholeNumber(1, 3_650), 30)
    .action(loadOnRun(loadActions, actions => actions.showUsage))

  const network = program
    .command('network')
    .description('show every host that Talaria contacted, and set the offline lock')
  withCommon(
    network.command('list', { isDefault: true }).description('print the hosts and the last requests'),
  )
    .option('--limit <n>', 'maximum number of requests', wholeNumber(1, 500), 20)
    .action(loadOnRun(loadActions, actions => actions.showNetwork))
  withCommon(
    network
      .command('lock')
      .description('turn the offline lock on, so that Talaria sends nothing from this computer'),
  ).action(options => lockNetwork(true, options))
  withCommon(network.command('unlock').description('turn the offline lock off')).action(options =>
    lockNetwork(false, options),
  )
}

/** Add the commands about settings. */
export function addConfigCommands(program: Command): void {
  const config = shareOptions(withCommon(program.command('config')))
    .description('show and change settings; without a command, print all with the source of each value')
    .addHelpText(
      'after',
      `
Settings are stored in config.yaml in the home folder; your comments in this file are kept. Keys are stored in .env in the same
folder, or by the desktop app in the key store of the system. Keys are never printed. Numbers in quotation marks count as numbers.

Examples:
  talaria config
  talaria config view engine
  talaria config view keys
  talaria config set engine.idle_unload_minutes 5
  talaria config set skills.folders ~/skills ~/work/skills
  talaria config set OPENAI_API_KEY
  talaria config reset learning
  talaria config check

Exit codes: 0 done, 1 failed, or config.yaml or .env has mistakes, 2 bad usage.`,
    )
    .action(loadOnRun(loadConfig, config => config.configAll))

  withCommon(
    config
      .command('view [section]')
      .alias('show')
      .description(
        'print the settings that differ from their defaults, or a section, with their descriptions',
      ),
  )
    .option('--all', 'print every setting and key')
    .action(loadOnRun(loadConfig, config => config.configView))
  withCommon(
    config.command('get <setting|key>').description('print the value of a setting, or whether a key is set'),
  ).action(loadOnRun(loadConfig, config => config.configGet))
  withCommon(
    config
      .command('set <setting|key> [value...]')
      .description('change a setting or a key; several words form a list; asks for a key without a value'),
  ).action(loadOnRun(loadConfig, config => config.configSet))
  withHome(
    config.command('reset <setting|section|key>').description('restore the default, or remove a key'),
  ).action(loadOnRun(loadConfig, config => config.configReset))
  withHome(config.command('edit').description('open config.yaml in your editor, then check it')).action(
    exitBy(loadOnRun(loadConfig, config => config.configEdit)),
  )
  withCommon(
    config
      .command('check')
      .description('print what is wrong, unknown, deprecated or missing in config.yaml and .env, with lines'),
  )
    .addHelpText(
      'after',
      `
Each line has the form FILE:LINE: PROBLEM. Talaria ignores values with mistakes. Unknown, deprecated and missing settings are only reported.

Exit codes: 0 no mistakes, 1 there are mistakes, 2 bad usage.`,
    )
    .action(exitBy(loadOnRun(loadConfig, config => config.configCheck)))
  withCommon(
    config
      .command('migrate')
      .description(
        'update config.yaml to this version, ask for new settings, and keep a copy of the old file',
      ),
  )
    .option('--yes', 'take the defaults of new settings without asking')
    .addHelpText(
      'after',
      `
Asks for each setting that was added since the file was last updated; Enter takes the default. Without a terminal and
without --yes, nothing is changed if there are new settings.

Exit codes: 0 done or nothing to do, 1 mistakes in config.yaml, or the input ended, 2 there are new settings and no terminal.`,
    )
    .action(exitBy(loadOnRun(loadConfig, config => config.configMigrate)))
}

const loadProcesses = () => import('../chats/processes-actions.ts')

/** Add the commands about background processes. */
export function addProcessesCommands(program: Command): void {
  const processes = program
    .command('processes')
    .description('show, follow and stop the servers and watchers that the agent started')
    .addHelpText(
      'after',
      `
Background processes belong to the running Talaria, and end with it.

Examples:
  talaria processes list
  talaria processes output p1 --follow
  talaria processes stop p1

Exit codes: 0 done, 1 failed, 2 bad usage.`,
    )
  withCommon(
    processes
      .command('list', { isDefault: true })
      .description('print the background processes; those that have ended come last'),
  ).action(loadOnRun(loadProcesses, actions => actions.processesList))
  withHome(
    processes.command('output <id>').description('print the output of a process, as far as it was kept'),
  )
    .option('--follow', 'keep printing until the process ends')
    .action(loadOnRun(loadProcesses, actions => actions.processesOutput))
  withHome(
    processes.command('stop <id...>').description('stop processes, with everything that they started'),
  ).action(loadOnRun(loadProcesses, actions => actions.processesStop))
}
