import type { ReactNode } from 'react'
import type { Model, ModelFile } from '../../../../shared/contract/model.ts'
import { Facts, type Fact } from '../Facts.tsx'
import { isLocal, parametersText } from '../models-state.ts'
import { formatCount, formatRate } from '../../../ui/format.ts'
import { FitPanel } from './FitPanel.tsx'
import { ModelSettings } from './ModelSettings.tsx'
import { ServerDetail } from './ServerDetail.tsx'

const FORMAT_SOURCES = { template: 'from its template', name: 'from its name', default: 'a guess' } as const

const HAS_TEMPLATE = { true: 'in the file', false: 'none, so a general one is used' } as const

/** All details and settings of a model. */
export function ModelDetail({ model }: { model: Model }): ReactNode {
  return (
    <div className="grid gap-6">
      {isLocal(model) && model.problem === null && <FitPanel model={model} />}
      {model.server && <ServerDetail model={model} server={model.server} />}
      {model.file && <Facts title="What the file says" facts={factsOf(model.file)} />}
      {!model.demo && <ModelSettings model={model} />}
    </div>
  )
}

function factsOf(file: ModelFile): Fact[] {
  return [
    ['Location', file.owned ? `${file.path} (Talaria’s own folder)` : file.path],
    ['Parts', file.parts > 1 ? `${file.parts} files` : ''],
    ['Architecture', file.architecture],
    ['Parameters', file.parameters > 0 ? parametersText(file.parameters) : ''],
    [
      'Quantisation',
      file.bitsPerWeight > 0
        ? `${file.quantisation || 'mixed'}, ${formatRate(file.bitsPerWeight)} bits a weight`
        : file.quantisation,
    ],
    ['Trained for', file.trainedTokens > 0 ? `${formatCount(file.trainedTokens)} tokens` : ''],
    ['Chat template', HAS_TEMPLATE[file.hasTemplate ? 'true' : 'false']],
    ['Calls tools as', `${file.format.name} (${FORMAT_SOURCES[file.format.from]})`],
    ['Licence', file.licence || 'the file does not say'],
    ['Images', file.vision],
  ]
}
