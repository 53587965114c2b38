import { Option, type Command } from 'commander'
import type { LearningMode } from '../../shared/contract/learning.ts'
import type { DoctorOptions } from './doctor.ts'
import { exitBy, loadOnRun, wholeNumber, withCommon, withHome } from './command-line.ts'

const learningModes = Object.keys({ ask: 0, save: 0, off: 0 } satisfies Record<LearningMode, 0>)

const loadSetup = () => import('./setup-command.ts')
const loadConfig = () => import('./config-actions.ts')
const loadDoctor = () => import('./doctor.ts')
const loadActions = () => import('./app-actions.ts')
const examineModel = exitBy(loadOnRun(loadDoctor, doctor => doctor.doctorModel))
const lockNetwork = loadOnRun(loadActions, actions => actions.lockNetwork)

/** Add the commands about the installation as a whole: setup, status, doctor, usage, network. */
export function addAppCommands(program: Command): void {
  withHome(program.command('setup'))
    .description('the first steps: a model, how to learn, something about you; asks what is not given')
    .option('--model <file.gguf>', 'use this file, where it lies')
    .option(
      '--server <address>',
      'use a server that speaks the OpenAI protocol; its key in TALARIA_SERVER_KEY',
    )
    .option('--server-model <name>', 'the name of the model on that server')
    .option('--anthropic', 'the server speaks the protocol of Anthropic')
    .addOption(new Option('--learning <how>', 'how to learn from chats').choices(learningModes))
    .option('--about <text>', 'a sentence about you that every chat begins with')
    .addHelpText(
      'after',
      `
Without a terminal nothing is asked: what is not given stays as it is.

Examples:
  talaria setup
  talaria setup --model ~/Downloads/some-model-Q4_K_M.gguf --learning ask
  talaria setup --server http://127.0.0.1:11434/v1 --server-model qwen3:8b`,
    )
    .action(loadOnRun(loadSetup, setupCommand => setupCommand.setupCommand))

  withCommon(program.command('status'))
    .description('what Talaria is doing: home folder, model, engine, learning, network')
    .action(loadOnRun(loadActions, actions => actions.showStatus))

  const doctor = withCommon(program.command('doctor'))
    .description('find out what is missing on this computer; contacts nobody')
    .addHelpText(
      'after',
      '\nExit codes: 0 Talaria works here, 1 something keeps it from working, 2 bad usage.',
    )
    .action(exitBy(loadOnRun(loadDoctor, doctor => doctor.doctorComputer)))
  doctor
    .command('model <file.gguf>')
    .description('examine a model file: read it, load it, and make it call three tools, none of which is run')
    .option('--json', 'print the whole report as one JSON object')
    .option(
      '--threads <n>',
      'threads of the engine (default: as many as suit this computer)',
      wholeNumber(1, 256),
    )
    .option(
      '--context <tokens>',
      'size of the context (default: that of engine.context_tokens)',
      wholeNumber(512, 1_048_576),
    )
    .addHelpText(
      'after',
      `
It needs neither a home folder nor a running Talaria, and changes nothing.

Examples:
  talaria doctor model ~/Downloads/some-model-Q4_K_M.gguf
  talaria doctor model some-model.gguf --context 4096 --json

Exit codes: 0 it loads and all three calls were valid, 1 it is not so, or it was stopped, 2 bad usage.`,
    )
    .action((file: string, options: DoctorOptions, command: Command) =>
      // The group has a flag of the same name, and commander assigns it to the group.
      examineModel(file, { ...options, ...command.optsWithGlobals<DoctorOptions>() }),
    )

  withCommon(program.command('usage'))
    .description('tokens, time and cost of the answers of the last days')
    .option('--days <n>', 'how many days', wholeNumber(1, 3_650), 30)
    .action(loadOnRun(loadActions, actions => actions.showUsage))

  const network = program
    .command('network')
    .description('everything that Talaria ever contacted, and the offline lock')
  withCommon(network.command('list').description('print the hosts, and the last requests'))
    .option('--limit <n>', 'how many requests', wholeNumber(1, 500), 20)
    .action(loadOnRun(loadActions, actions => actions.showNetwork))
  withCommon(network.command('lock').description('let nothing leave this computer')).action(options =>
    lockNetwork(true, options),
  )
  withCommon(network.command('unlock').description('take the lock off')).action(options =>
    lockNetwork(false, options),
  )
}

/** Add the commands about settings. */
export function addConfigCommands(program: Command): void {
  const config = program
    .command('config')
    .description('see and change the settings')
    .addHelpText(
      'after',
      `
Settings are kept in config.yaml of the home folder; comments in it survive. Keys of servers are never in it.

Examples:
  talaria config show
  talaria config show engine
  talaria config set engine.idle_unload_minutes 5
  talaria config set skills.folders ~/skills ~/work/skills
  talaria config reset learning
  talaria config check

Exit codes: 0 done or no mistakes, 1 it failed or there are mistakes, 2 bad usage.`,
    )

  withCommon(
    config.command('show [section]').description('print what differs from the defaults, or a section'),
  )
    .option('--all', 'print every setting')
    .action(loadOnRun(loadConfig, config => config.configShow))
  withCommon(config.command('get <setting>').description('print the value of one setting')).action(
    loadOnRun(loadConfig, config => config.configGet),
  )
  withCommon(
    config.command('set <setting> <value...>').description('change a setting; several words are a list'),
  ).action(loadOnRun(loadConfig, config => config.configSet))
  withHome(config.command('reset <setting|section>').description('bring back the default')).action(
    loadOnRun(loadConfig, config => config.configReset),
  )
  withHome(config.command('edit').description('open config.yaml in your editor, then check it')).action(
    exitBy(loadOnRun(loadConfig, config => config.configEdit)),
  )
  withCommon(config.command('check').description('look for mistakes, with the lines they are in')).action(
    exitBy(loadOnRun(loadConfig, config => config.configCheck)),
  )
  withHome(
    config.command('migrate').description('bring config.yaml up to the form of this version, with a copy'),
  ).action(exitBy(loadOnRun(loadConfig, config => config.configMigrate)))
}
