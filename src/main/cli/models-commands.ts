import { InvalidArgumentError, type Command } from 'commander'
import { exitBy, loadOnRun, wholeNumber, withCommon } from './command-line.ts'

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
    withCommon(command, 'print JSON; a line for every step of a copy or a download')

  common(models.command('list').description('print the models; a star marks that of new chats')).action(
    loadOnRun(load, models => models.modelsList),
  )
  common(models.command('add <file|folder>').description('use a GGUF file where it is, or all in a folder'))
    .option('--copy', 'copy it into Talaria’s folder first, and wait for it')
    .action(exitBy(loadOnRun(load, models => models.modelsAdd)))
  common(
    models
      .command('remove <model>')
      .description('take a model off the list; a file in Talaria’s own folder is deleted'),
  )
    .option('--yes', 'do not ask before a file is deleted')
    .action(exitBy(loadOnRun(load, models => models.modelsRemove)))
  common(models.command('scan').description('look for models of LM Studio, Jan, GPT4All and Ollama')).action(
    loadOnRun(load, models => models.modelsScan),
  )
  common(models.command('fit <file|model>').description('say whether it fits into this computer'))
    .option('--context <tokens>', 'with a context of this size', wholeNumber(512, 1_048_576))
    .action(exitBy(loadOnRun(load, models => models.modelsFit)))
  common(
    models
      .command('download <address|id>')
      .description('fetch a model file, by its address or its id in the catalogue, and wait for it'),
  )
    .option('--sha256 <digest>', 'what the file must be, when an address is given', digest)
    .action(exitBy(loadOnRun(load, models => models.modelsDownload)))
  common(models.command('default <model>').description('make it the model of new chats')).action(
    loadOnRun(load, models => models.modelsDefault),
  )
}

function digest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('64 hexadecimal digits.')
}
