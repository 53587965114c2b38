/**
 * The kind of a model file. `other`: cannot chat at all, such as an embedding model. `base`: continues texts
 * and was never taught to answer. `chat`: answers.
 */
type FileKind = 'other' | 'base' | 'chat'

/** Facts about a file that are known before any of its weights are loaded. */
type Header = { architecture: string; other?: string; chatTemplate: string | undefined }

/** The kind of a model file, and whether it was made to call tools. Only a trial shows if it does. */
export type FileJudgement = { kind: FileKind; madeForTools: boolean }

/** Architectures of embedding models and image encoders, which cannot chat. */
const CANNOT_CHAT = /bert|^clip$|^t5encoder$|embedding|reranker/

/** Words in templates that announce tools, or functions, as some templates call them. */
const TELLS_OF_TOOLS = /tool|function/i

/**
 * Judge a model file by its header alone. Makers write a chat template into every model that they taught to
 * answer. A file without a template is therefore a base model, or its template was stripped; either way it
 * cannot be prompted as it was taught. A template without tools does not mean a base model: the model
 * answers, but does not call tools on its own.
 */
export function judgeFile({ architecture, other, chatTemplate }: Header): FileJudgement {
  if (other !== undefined || CANNOT_CHAT.test(architecture)) return { kind: 'other', madeForTools: false }
  if (isBlank(chatTemplate)) return { kind: 'base', madeForTools: false }
  return { kind: 'chat', madeForTools: TELLS_OF_TOOLS.test(withoutComments(chatTemplate)) }
}

const isBlank = (template: string | undefined): template is undefined | '' =>
  template === undefined || template.trim() === ''

/** Comments of a template never reach the model. */
const withoutComments = (template: string): string => template.replaceAll(/\{#[\s\S]*?#\}/g, '')

/** The kinds of content that the name of a weight can reveal. */
export type WeightSign =
  | 'words'
  | 'adapter'
  | 'control'
  | 'importance'
  | 'picture'
  | 'eye'
  | 'ear'
  | 'voice'
  | 'classes'

const SIGNS: readonly [names: RegExp, sign: WeightSign][] = [
  [/^token_embd\.weight$/, 'words'],
  [
    /\.(lora_[abm]|lora_(down|up)|lora_magnitude_vector)(\.weight)?$|^lora_(unet|te\d?|transformer)_/i,
    'adapter',
  ],
  [/^direction\.\d+$/, 'control'],
  [/\.(in_sum2?|counts)$/, 'importance'],
  [/^cls(\.output)?\.(weight|bias)$/, 'classes'],
  [/^(v\.(blk|patch_embd|position_embd|post_ln)|mm\.\d|resampler\.|visual\.)/, 'eye'],
  [/^(a\.(blk|conv1d|position_embd)|mm\.a\.)/, 'ear'],
  [/^(vocoder|wav|voice|audio_decoder|decoder\.quantizer|text_encoder\.lstm|kokoro)/, 'voice'],
  [
    /^(model\.diffusion_model|diffusion_model|first_stage_model|cond_stage_model|double_blocks|single_blocks|joint_blocks|transformer_blocks|single_transformer_blocks|(down|up|mid|input|output|middle)_blocks?|blocks\.\d+\.(cross_attn|self_attn|ffn)|patch_embedding|x_embedder|img_in|time_(embed|embedding|in)|noise_refiner|vae|(encoder|decoder)\.(conv_in|conv_out|mid|up|down))\b/,
    'picture',
  ],
]

/** The kind of content that the name of a weight reveals; undefined if it reveals nothing. */
export const signOf = (weight: string): WeightSign | undefined =>
  SIGNS.find(([names]) => names.test(weight))?.[1]

/** The header facts of a file, combined from all its parts. Without `isWhole`, some parts are missing. */
type FileHeader = {
  architecture: string
  type: string
  name: string
  /** How token vectors are combined into one vector for the text; 0 if they are not. */
  pooling: number
  keys: readonly string[]
  vocabularySize: number
  tensors: number
  signs: ReadonlySet<WeightSign>
  isWhole: boolean
}

const PICTURES =
  /^(flux|sd\d|sdxl|sd[_-]?(turbo|unet)|stable.?diffusion|aura|hidream|lumina|qwen.?image|z.?image|omnigen|chroma|kandinsky|pixart|kolors|hunyuan.?(dit|image)|unet|vae|dit$|pig|ernie.?image|ovis.?image)/i
const VIDEOS = /^(wan|hyvid|hunyuan.?video|ltxv?|cosmos|mochi|cogvideo|skyreels|svd)/i
const SPEECH =
  /whisper|wavtokenizer|kokoro|parler|^bark|cosyvoice|outetts|parakeet|^csm|^dia$|vibevoice|chatterbox|piper|speech|[-_]?tts|moonshine|mimi|snac|encodec/i
const EMBEDDINGS = /bert|^t5encoder$|embedding/i
const RANKERS = /reranker/i

/**
 * Name the content of a file without a chat model, in words that follow “it is”; empty for a language model.
 * None of these names means that the file is damaged.
 */
export function nameOtherKind(file: FileHeader): string {
  const { architecture, type, name, pooling, keys, vocabularySize, tensors, signs, isWhole } = file
  const has = (prefix: string) => keys.some(key => key.startsWith(prefix))
  const named = architecture === '' ? '' : ` (${architecture})`
  if (type === 'adapter' || has('adapter.') || signs.has('adapter'))
    return 'an adapter (LoRA), which changes another model and cannot answer by itself'
  if (architecture === 'controlvector' || has('controlvector.') || signs.has('control'))
    return 'a control vector, which steers another model and cannot answer by itself'
  if (type === 'imatrix' || has('imatrix.') || signs.has('importance'))
    return 'an importance matrix, which only helps to make smaller files of another model'
  const isWithoutWords = isWhole && !signs.has('words')
  if (VIDEOS.test(architecture) && isWithoutWords) return `a model that makes videos${named}`
  if (PICTURES.test(architecture) && isWithoutWords) return `a model that makes pictures${named}`
  if (SPEECH.test(architecture)) return `a model for speech${named}`
  if (type === 'mmproj' || architecture === 'clip') return encoderOf(signs) + named
  if (RANKERS.test(architecture) || pooling === 4 || isNamed(name, 'rerank(er)?'))
    return `a model that ranks texts${named}`
  if (EMBEDDINGS.test(architecture) || pooling > 0 || isNamed(name, 'embed(ding)?s?'))
    return `an embedding model${named}, which turns texts into numbers for searching`
  if (signs.has('classes')) return `a model that sorts texts into classes${named}`
  if (type === 'vocab' || (isWhole && tensors === 0 && vocabularySize > 0))
    return 'a vocabulary without a model'
  if (!isWithoutWords)
    return architecture === '' && isWhole ? 'a file that does not name its kind of model' : ''
  if (signs.has('picture')) return `a model that makes pictures or videos${named}`
  if (signs.has('eye') || signs.has('ear')) return encoderOf(signs) + named
  if (signs.has('voice')) return `a model for speech${named}`
  return `no language model${named}: it has no weights that read words`
}

const isNamed = (name: string, word: string): boolean =>
  new RegExp(`(^|[-_. ])${word}([-_. ]|$)`, 'i').test(name)

const encoderOf = (signs: ReadonlySet<WeightSign>): string =>
  signs.has('ear') && !signs.has('eye')
    ? 'the part of another model that hears sounds'
    : 'the part of another model that sees pictures'
