// Requests to remember and to forget, and claims that it was done, in languages other than English.

/** The words of one language. A claim has a matching verb, names the memory, and is about the agent. */
type ClaimWords = {
  /** Requests to remember. */
  remember: RegExp
  /** Requests to forget. */
  forget: RegExp
  memory: RegExp
  saved: RegExp
  forgotten: RegExp
  /** Claims that count only after such a request, or after facts that the user told about themselves. */
  softSaved: RegExp
  softForgotten: RegExp
  /** Sentences that deny, offer or condition the act, or that are about something else. */
  not: RegExp
}

/** One or more whole words, in any alphabet. */
const words = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu')
const signs = (source: string) => new RegExp(source, 'u')

const GERMAN: ClaimWords = {
  remember: words(
    'merk(?:e|st du)? dir|merken, dass|behalte?(?: bitte| das| dir)* im (?:kopf|gedächtnis|hinterkopf)|vergiss(?: bitte)? nicht|notiere? dir|speichere?(?: bitte)?(?: dir| das| in deinem gedächtnis| im gedächtnis)|nimm in dein(?:e|en)? (?:gedächtnis|notizen|speicher) auf',
  ),
  forget: words(
    'vergiss(?: bitte)?,? (?:dass|was|alles|mein\\p{L}*|den|die|das mit)|(?:lösche?|entferne?|streiche?)(?: bitte)? .{0,80}(?:gedächtnis|erinnerung\\p{L}*|notizen über mich)',
  ),
  memory: words(
    'gedächtnis\\p{L}*|langzeitspeicher|erinnerung(?:en)?|notizen(?: über dich)?|nutzerprofil|profil|memory',
  ),
  saved: words(
    'gespeichert|abgespeichert|festgehalten|notiert|vermerkt|aufgenommen|hinzugefügt|eingetragen|abgelegt|hinterlegt|übernommen|gemerkt|aktualisiert|speichere|speichern|notiere',
  ),
  forgotten: words('gelöscht|entfernt|gestrichen|vergessen|getilgt|lösche|entferne|streiche'),
  softSaved: words(
    '(?:ich habe|hab) (?:mir )?(?:das|es|dies|deine?n? \\p{L}+) (?:\\p{L}+ )?(?:gemerkt|notiert|gespeichert|vermerkt)|habe ich (?:mir )?(?:gemerkt|notiert|gespeichert)|(?:das )?merke? ich mir|ich merke? (?:mir|es mir|mir das)|ich werde (?:mir das merken|es mir merken|daran denken|das nicht vergessen|es nicht vergessen|das im hinterkopf behalten)|behalte (?:ich|das|es) (?:das |es )?im (?:hinterkopf|kopf|gedächtnis)|(?:ist|wurde) (?:gespeichert|notiert|vermerkt|gemerkt)',
  ),
  softForgotten: words(
    '(?:ich habe|hab) (?:das|es|dies|alles)(?: \\p{L}+)? (?:vergessen|gelöscht|entfernt|gestrichen)|(?:ist|sind|wurde) (?:gelöscht|vergessen|entfernt)|ich (?:werde das vergessen|vergesse das)|vergessen ist',
  ),
  not: words(
    'nicht (?:gespeichert|gemerkt|gelöscht|entfernt|möglich|speichern|löschen)|kann (?:ich )?(?:das |mir )?(?:leider )?(?:nicht|nichts)|konnte|leider|soll ich|möchtest du|willst du|wenn du|falls|sobald|datei\\p{L}*|ordner|skript|tabelle|protokoll|einstellung\\p{L}*|könnte|kann ich|arbeitsspeicher|schon|bereits|zwischenspeicher',
  ),
}

const SPANISH: ClaimWords = {
  remember: words(
    'recuerda(?: siempre)?(?: que|:|,| mi)|acuérdate de que|no olvides(?: que| mi)|ten en cuenta(?: siempre)? que|guarda(?: esto| eso)?(?: en tu memoria|,? que)|anota que|memoriza|apunta que',
  ),
  forget: words('olvida(?: que| lo que| mi| todo)|(?:borra|elimina|quita) .{0,80}(?:memoria|notas sobre mí)'),
  memory: words('memoria|notas(?: sobre ti)?|perfil|recuerdos'),
  saved: words(
    'he (?:guardado|anotado|añadido|registrado|apuntado|almacenado|memorizado|actualizado|agregado)|guardé|anoté|añadí|agregué|guardado|guardada|anotado|queda guardado|registrado|actualizada',
  ),
  forgotten: words(
    'he (?:borrado|eliminado|quitado|olvidado)|borré|eliminé|quité|borrado|eliminado|olvidado',
  ),
  softSaved: words(
    '(?:lo|la|eso|esto) (?:he|tengo) (?:guardado|anotado|apuntado|registrado)|(?:lo|la) (?:recordaré|tendré en cuenta|tendré presente|anoto|guardo|apunto)|recordaré (?:que|eso|esto)|no (?:lo |la |me )?olvidaré|tomo nota|he tomado nota|anotado|apuntado|guardado',
  ),
  softForgotten: words(
    '(?:lo|la|eso|esto|ya) (?:he |lo he )?(?:olvidado|borrado|eliminado)|(?:lo|la) (?:olvidaré|olvido|borro)|olvidado|borrado|eliminado',
  ),
  not: words(
    'no (?:he|pude|puedo|se|está|fue) .{0,30}(?:guard\\p{L}*|borr\\p{L}*|elimin\\p{L}*|record\\p{L}*|olvid\\p{L}*|anot\\p{L}*)|no puedo|no pude|quieres que|si (?:quieres|me)|cuando me|archivo\\p{L}*|fichero\\p{L}*|carpeta|tabla|configuración|podría|puedo|memoria (?:ram|caché)|ya (?:estaba|tenía)',
  ),
}

const FRENCH: ClaimWords = {
  remember: words(
    "souviens-toi (?:que|qu|de)|rappelle-toi (?:que|qu|de)|retiens (?:que|qu|bien|ceci|cela|:)|n[’']oublie pas (?:que|qu|mon|ma)|note (?:que|qu|bien que|dans ta mémoire)|garde en (?:tête|mémoire)|mémorise|enregistre (?:que|qu|dans ta mémoire)",
  ),
  forget: words(
    'oublie (?:que|qu|ce que|mon|ma|mes|tout)|(?:supprime|efface|retire|enlève) .{0,80}(?:mémoire|notes sur moi)',
  ),
  memory: words('mémoire|notes(?: sur toi| sur vous)?|profil|souvenirs'),
  saved: words(
    "(?:ai|bien|est|été) (?:bien )?(?:enregistrée?|notée?|sauvegardée?|mémorisée?|ajoutée?|retenue?|gardée?|mise? à jour)|enregistré|noté|sauvegardé|j[’']enregistre|je note|je garde",
  ),
  forgotten: words('supprimée?|effacée?|retirée?|oubliée?|enlevée?'),
  softSaved: words(
    "(?:l[’']ai|ai) (?:bien )?(?:noté|enregistré|retenu|mémorisé)|je (?:m[’']en souviendrai|le retiens|retiens|retiendrai|le note|n[’']oublierai pas|m[’']en souviens|ne l[’']oublierai pas|garde (?:ça|cela) en (?:tête|mémoire))|c[’']est (?:bien )?(?:noté|enregistré|retenu)|bien noté|noté",
  ),
  softForgotten: words(
    "(?:l[’']ai|ai) (?:oublié|supprimé|effacé|retiré)|c[’']est (?:oublié|supprimé|effacé)|je (?:l[’']oublie|l[’']ai oublié|oublierai)|oublié|supprimé|effacé",
  ),
  not: words(
    "n[’']ai pas|ne peux pas|n[’']ai pas pu|pas (?:été|pu|possible)|veux-tu|voulez-vous|souhaites-tu|si tu|dès que|fichier\\p{L}*|dossier|tableau|réglages|pourrais|je peux|mémoire vive|déjà|désolé\\p{L}*",
  ),
}

const ITALIAN: ClaimWords = {
  remember: words(
    'ricorda(?:ti)?(?: che|:|,| di me| il mio| la mia)|non dimenticare(?: che| il mio| la mia)|tieni (?:a mente|presente) che|salva(?: questo)? (?:nella tua memoria|che)|memorizza|annota che|prendi nota',
  ),
  forget: words(
    'dimentica(?: che| quello| il mio| la mia| tutto)|(?:cancella|elimina|rimuovi|togli) .{0,80}(?:memoria|note su di me)',
  ),
  memory: words('memoria|note(?: su di te)?|profilo|ricordi'),
  saved: words(
    'ho (?:salvato|memorizzato|annotato|aggiunto|registrato|aggiornato|inserito|segnato|preso nota)|salvato|memorizzato|annotato|aggiornata|registrato',
  ),
  forgotten: words(
    'ho (?:cancellato|eliminato|rimosso|dimenticato|tolto)|cancellat[oa]|eliminat[oa]|rimoss[oa]|dimenticat[oa]',
  ),
  softSaved: words(
    "(?:l[’']ho|ho) (?:annotato|salvato|memorizzato|segnato)|me lo (?:ricorderò|segno|annoto)|lo (?:ricorderò|terrò (?:a mente|presente)|tengo a mente)|(?:me ne |mi )?ricorderò|non (?:lo |me ne )?dimenticherò|ne (?:prendo|ho preso) nota|prendo nota|annotato|memorizzato|salvato",
  ),
  softForgotten: words(
    "(?:l[’']ho|ho) (?:dimenticato|cancellato|rimosso|eliminato)|lo dimentico|lo dimenticherò|dimenticato|cancellato|eliminato|rimosso",
  ),
  not: words(
    'non (?:ho|posso|è stato|sono riuscit\\p{L}*|sono in grado)|vuoi che|se (?:vuoi|mi)|quando mi|file|cartella|tabella|impostazioni|potrei|posso|memoria ram|già',
  ),
}

const PORTUGUESE: ClaimWords = {
  remember: words(
    'lembr(?:a|e)(?:-te|-se)?(?: de)?(?: que|:|,| do meu| da minha)|não (?:te )?esque[çc]as?(?: de)?(?: que| do meu| da minha)|guard[ae](?: isto| isso)?(?: na (?:tua|sua) memória|,? que)|anot[ae] que|memoriz[ae]|tenha em mente que|salve (?:isso )?na sua memória',
  ),
  forget: words(
    'esque[çc][ae](?:-te)?(?: de)?(?: que| o que| o meu| a minha| meu| minha| tudo)|(?:apag(?:a|ue)|remov[ae]|elimin[ae]|exclua) .{0,80}(?:memória|notas sobre mim)',
  ),
  memory: words('memória|notas(?: sobre (?:ti|você))?|perfil|lembranças'),
  saved: words(
    'guardei|salvei|anotei|registrei|registei|memorizei|adicionei|atualizei|gravei|guardado|guardada|salvo|anotado|registrado|registado|atualizada',
  ),
  forgotten: words(
    'apaguei|removi|eliminei|exclu[íi]|esqueci|apagad[oa]|removid[oa]|eliminad[oa]|esquecid[oa]',
  ),
  softSaved: words(
    '(?:já )?(?:anotei|guardei|salvei|registrei|registei|memorizei)(?: isso| isto)?|(?:vou|irei) (?:me )?(?:lembrar|lembrar-me|recordar|guardar|ter em mente)|vou-me lembrar|lembrarei|não (?:vou |me |irei )?(?:esquecer(?:ei)?)|anotado|guardado|salvo|registrado',
  ),
  softForgotten: words(
    '(?:já )?(?:esqueci|apaguei|removi|eliminei)(?: isso| isto)?|vou esquecer|esquecido|apagado|removido|eliminado',
  ),
  not: words(
    'não (?:consegui|posso|pude|foi|guardei|salvei|apaguei|removi|está|consigo)|quer(?:es)? que|se (?:quiser\\p{L}*|você|me)|quando (?:você|me)|arquivo|ficheiro|pasta|tabela|configurações|poderia|posso|memória ram|já (?:estava|tinha)',
  ),
}

const CHINESE: ClaimWords = {
  remember: signs(
    '(?:请|請|帮我|幫我|你要|要)?(?:记住|記住|记下|記下|牢记|别忘了|別忘了|不要忘记|保存到(?:你的)?记忆)',
  ),
  forget: signs(
    '(?<![别別不要])(?:忘记|忘記|忘掉|忘了)(?:我|这|那|關於|关于)|(?:从|從|把).{0,40}(?:记忆|記憶)(?:中|里|裡)?.{0,20}(?:删|刪|移除|清除)|删除.{0,40}(?:记忆|記憶)',
  ),
  memory: signs('记忆|記憶|备忘|备注|用户资料|個人資料|记事本'),
  saved: signs(
    '(?:已经?|已|了).{0,30}(?:保存|记录|記錄|记|記|存入|存到|添加|更新|写入)|(?:保存|记录|記錄|记到|存入|存到|添加|写入|更新).{0,40}了|已保存|已记录|已更新',
  ),
  forgotten: signs('删除|刪除|移除|清除|忘记了|忘掉了|抹去'),
  softSaved: signs(
    '(?:我)?(?:已经?|会|會)?(?:记住|記住|记下|記下|牢记)(?:了|的|您|你|这|這|，|。|！|$)|不会忘记|不會忘記|已保存|已记录|已記錄|记好了',
  ),
  softForgotten: signs(
    '(?:已经?|会|會).{0,6}(?:忘记|忘記|忘掉|删除|刪除|移除|清除)|(?:忘记|忘掉|删除|清除)(?:了|掉了)',
  ),
  not: signs(
    '无法|無法|不能|没有?(?:保存|记|删|能)|未能|抱歉|如果|是否|要我|需要我|吗|嗎|文件|文件夹|表格|设置|内存|可以帮|告诉我',
  ),
}

const JAPANESE: ClaimWords = {
  remember: signs(
    '覚えておいて|覚えて(?:ください|下さい|ね|$|。)|記憶して|忘れないで|メモして(?:おいて)?|記録して(?:おいて|ください)',
  ),
  forget: signs(
    '(?:を|は|こと|って)(?:忘れて|忘れろ)|(?:記憶|メモリ|メモリー)(?:から).{0,20}(?:消して|削除して|取り除いて)',
  ),
  memory: signs('記憶|メモリ|メモリー|プロフィール|メモ'),
  saved: signs(
    '(?:保存|記録|登録|記憶|追加|更新|メモ)(?:し|いた|され)(?:まし|てあり|ておき)|書き留め(?:まし|ておき)|覚え(?:まし|ておき)|残し(?:まし|ておき)',
  ),
  forgotten: signs('(?:削除|消去|抹消)し(?:まし|ておき)|消し(?:まし|ておき)|忘れ(?:まし|ておき)|取り除き'),
  softSaved: signs(
    '覚え(?:まし|ておき|ておく)|忘れません|(?:記録|記憶|保存|メモ)し(?:まし|ておき)|覚えました',
  ),
  softForgotten: signs('忘れ(?:まし|ておき|ます|る)|(?:削除|消去)し(?:まし|ておき)|消し(?:まし|ておき)'),
  not: signs(
    'できません|できない|ませんでした|ましょうか|ますか|もし|場合|ファイル|フォルダ|設定|申し訳|たら|必要|すでに|既に',
  ),
}

/** The words of all languages except English. */
export const OTHER_CLAIMS: readonly ClaimWords[] = [
  GERMAN,
  SPANISH,
  FRENCH,
  ITALIAN,
  PORTUGUESE,
  CHINESE,
  JAPANESE,
]

/** An answer that only agrees. */
export const AGREES =
  /^(?:ok(?:ay)?|sure(?: thing)?|got it|understood|done|all right|alright|will do|of course|certainly|absolutely|perfect|great|noted|klar|gut|in ordnung|verstanden|alles klar|erledigt|mache ich|gerne|vale|claro|entendido|de acuerdo|hecho|por supuesto|perfecto|d['’]accord|entendu|bien sûr|compris|c['’]est fait|très bien|va bene|certo|capito|d['’]accordo|fatto|perfetto|tudo bem|certo|combinado|feito|claro|perfeito|好的?|明白了?|知道了|了解|没问题|收到|はい|わかりました|分かりました|承知しました|了解(?:です|しました)?|かしこまりました)(?![\p{L}])/iu
