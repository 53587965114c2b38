import { InvalidArgumentError, type Command } from 'commander'
import { readChecksum } from '../../../shared/text/read-checksum.ts'
import { exitBy, loadOnRun, wholeNumber, withCommon } from '../command-line.ts'

const load = () => import('./models-actions.ts')
const loadDownloads = () => import('./downloads-actions.ts')

/** Add the commands about models. */
export function addModelsCommands(program: Command): void {
  const models = program
    .command('models')
    .description('list, add, test, download, resume and remove models, and check whether they fit')
    .addHelpText(
      'after',
      `
Name a model by its name, its id or its file. Files are used in place; --copy copies them into Talaria’s own folder.
Only “download” and “resume” use the network. A stopped download keeps what has arrived; the same command, or “resume”, continues it.
For model files of huggingface.co you can set a mirror (HF_ENDPOINT, or the setting network.hub_mirror) and a token (HF_TOKEN).

Examples:
  talaria models list
  talaria models fit ~/Downloads/some-model-Q4_K_M.gguf
  talaria models add ~/Downloads/some-model-Q4_K_M.gguf
  talaria models add /media/stick --copy
  talaria models test some-model-Q4_K_M
  talaria models scan
  talaria models download https://models.example/some-model-Q4_K_M.gguf
  talaria models downloads
  talaria models resume some-model-Q4_K_M
  talaria models default some-model-Q4_K_M
  talaria models mixture team --reference small-model other-model --aggregator big-model
  talaria models remove some-model-Q4_K_M

Exit codes: 0 done, or the model fits or makes its calls, 1 failed, paused, declined, does not fit or makes no valid calls, 2 bad usage.`,
    )
  const common = (command: Command) =>
    withCommon(command, 'print JSON; one line for each step of a copy or download')

  common(
    models
      .command('list', { isDefault: true })
      .description('print the models; a star marks the one for new chats'),
  ).action(loadOnRun(load, models => models.modelsList))
  common(
    models
      .command('add <file|folder>')
      .description('add a GGUF file in place, or all GGUF files of a folder'),
  )
    .option('--copy', 'copy the file into Talaria’s folder first, and wait for the copy')
    .action(exitBy(loadOnRun(load, models => models.modelsAdd)))
  common(
    models
      .command('remove <model|download>')
      .description(
        'remove a model from the list, or an unfinished download; deletes a file in Talaria’s own folder',
      ),
  )
    .option('--yes', 'do not ask before deleting a file')
    .action(exitBy(loadOnRun(load, models => models.modelsRemove)))
  common(
    models
      .command('mixture <name>')
      .description('create or change a mixture, which asks models for advice before one model answers'),
  )
    .requiredOption('--reference <model...>', 'the models that give advice, without tools; at most 6')
    .requiredOption('--aggregator <model>', 'the model that answers, with tools')
    .option(
      '--wait <seconds>',
      'how long a model may take to give advice (default: 120)',
      wholeNumber(5, 3_600),
    )
    .action(loadOnRun(load, models => models.modelsMixture))
  common(models.command('scan').description('find models of LM Studio, Jan, GPT4All and Ollama')).action(
    loadOnRun(load, models => models.modelsScan),
  )
  common(models.command('fit <file|model>').description('check whether a model fits this computer'))
    .option('--context <tokens>', 'with a context window of this size', wholeNumber(512, 1_048_576))
    .action(exitBy(loadOnRun(load, models => models.modelsFit)))
  common(
    models
      .command('test <model>')
      .description('let a model call three tools, which are not run, and keep the verdict'),
  ).action(exitBy(loadOnRun(load, models => models.modelsTest)))
  common(
    models
      .command('download <address|id>')
      .description('download a model file by its address or its id in the catalogue'),
  )
    .option(
      '--sha256 <digest>',
      'for an address: the checksum of the file, as its publisher prints it',
      digest,
    )
    .option('--again', 'download it even if it is already on this computer')
    .action(exitBy(loadOnRun(load, models => models.modelsDownload)))
  common(
    models
      .command('downloads')
      .description('print the unfinished downloads, with their size and why they stopped'),
  ).action(loadOnRun(loadDownloads, actions => actions.modelsDownloads))
  common(models.command('resume <download>').description('continue an unfinished download')).action(
    exitBy(loadOnRun(loadDownloads, actions => actions.modelsResume)),
  )
  common(models.command('default <model>').description('use a model in new chats')).action(
    loadOnRun(load, models => models.modelsDefault),
  )
}

/**
 * Refuse a text that cannot be a checksum. A list of several lines is read later, once the file name is
 * known.
 */
function digest(text: string): string {
  const read = readChecksum(text)
  if ('problem' in read && !text.includes('\n')) throw new InvalidArgumentError(read.problem)
  return text
}
