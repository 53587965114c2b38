import { InvalidArgumentError, type Command } from 'commander'
import { loadOnRun, wholeNumber } from './command-helpers.ts'
import type { ModelsOptions } from './models-actions.ts'

const FAILED = 1
const load = () => import('./models-actions.ts')

/** Add the commands about models. */
export function addModelsCommands(program: Command): void {
  const models = program
    .command('models')
    .description('see, add, fetch and remove models, and find out whether they fit')
    .addHelpText(
      'after',
      `
A model is meant by its name, its id, or its file. Files are used where they lie, unless --copy brings them into Talaria’s
own folder. Nothing goes out but what “download” fetches.

Examples:
  talaria models list
  talaria models fit ~/Downloads/some-model-Q4_K_M.gguf
  talaria models add ~/Downloads/some-model-Q4_K_M.gguf
  talaria models add /media/stick --copy
  talaria models scan
  talaria models download https://models.example/some-model-Q4_K_M.gguf
  talaria models default some-model-Q4_K_M
  talaria models remove some-model-Q4_K_M

Exit codes: 0 done, or it fits, 1 it failed, was paused, not wanted, or does not fit, 2 bad usage.`,
    )
  const common = (command: Command) =>
    command
      .option('--json', 'print JSON; a line for every step of a copy or a download')
      .option('--home <dir>', 'the home folder (default: TALARIA_HOME, then ~/.talaria)')
  const code = async (work: Promise<boolean>) => {
    process.exitCode = (await work) ? 0 : FAILED
  }

  common(models.command('list').description('print the models; a star marks that of new chats')).action(
    loadOnRun(load, models => models.modelsList),
  )
  common(models.command('add <file|folder>').description('use a GGUF file where it is, or all in a folder'))
    .option('--copy', 'copy it into Talaria’s folder first, and wait for it')
    .action((path: string, options: ModelsOptions & { copy?: true }) =>
      code(loadOnRun(load, models => models.modelsAdd)(path, options)),
    )
  common(
    models
      .command('remove <model>')
      .description('take a model off the list; a file in Talaria’s own folder is deleted'),
  )
    .option('--yes', 'do not ask before a file is deleted')
    .action((model: string, options: ModelsOptions & { yes?: true }) =>
      code(loadOnRun(load, models => models.modelsRemove)(model, options)),
    )
  common(models.command('scan').description('look for models of LM Studio, Jan, GPT4All and Ollama')).action(
    loadOnRun(load, models => models.modelsScan),
  )
  common(models.command('fit <file|model>').description('say whether it fits into this computer'))
    .option('--context <tokens>', 'with a context of this size', wholeNumber(512, 1_048_576))
    .action((model: string, options: ModelsOptions & { context?: number }) =>
      code(loadOnRun(load, models => models.modelsFit)(model, options)),
    )
  common(
    models
      .command('download <address|id>')
      .description('fetch a model file, by its address or its id in the catalogue, and wait for it'),
  )
    .option('--sha256 <digest>', 'what the file must be, when an address is given', digest)
    .action((from: string, options: ModelsOptions & { sha256?: string }) =>
      code(loadOnRun(load, models => models.modelsDownload)(from, options)),
    )
  common(models.command('default <model>').description('make it the model of new chats')).action(
    loadOnRun(load, models => models.modelsDefault),
  )
}

function digest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('64 hexadecimal digits.')
}
