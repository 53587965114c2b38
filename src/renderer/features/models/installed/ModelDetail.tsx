import type { ReactNode } from 'react'
import type { Model, ModelFile } from '../../../../shared/contract/model.ts'
import { Facts, type Fact } from '../Facts.tsx'
import { isLocal, parametersText } from '../models-state.ts'
import { pageText } from '../page-strings.ts'
import { FitPanel } from './FitPanel.tsx'
import { ModelSettings } from './ModelSettings.tsx'
import { ServerDetail } from './ServerDetail.tsx'

/** Everything that is known of a model, and what can be set for it. */
export function ModelDetail({ model }: { model: Model }): ReactNode {
  return (
    <div className="grid gap-6">
      {isLocal(model) && model.problem === null && <FitPanel model={model} />}
      {model.server && <ServerDetail model={model} server={model.server} />}
      {model.file && <Facts title={pageText.facts.heading} facts={factsOf(model.file)} />}
      {!model.demo && <ModelSettings model={model} />}
    </div>
  )
}

function factsOf(file: ModelFile): Fact[] {
  const text = pageText.facts
  return [
    [text.place, file.owned ? `${file.path} (${text.owned})` : file.path],
    [text.parts, file.parts > 1 ? text.files(file.parts) : ''],
    [text.architecture, file.architecture],
    [text.parameters, file.parameters > 0 ? parametersText(file.parameters) : ''],
    [text.quantisation, text.bits(file.quantisation, file.bitsPerWeight)],
    [text.trained, file.trainedTokens > 0 ? pageText.fit.tokens(file.trainedTokens) : ''],
    [text.template, text.hasTemplate[file.hasTemplate ? 'true' : 'false']],
    [text.dialect, `${file.dialect.name} (${text.dialectFrom[file.dialect.from]})`],
    [text.licence, file.licence || text.noLicence],
    [text.vision, file.vision],
  ]
}
