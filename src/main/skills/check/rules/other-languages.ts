import { ANYWHERE, pattern, rulesOf } from '../rule.ts'

/**
 * Ignoring earlier instructions, in other languages. Accents are already removed, and word prefixes match all
 * endings.
 */
const DROPS: readonly [language: string, pattern: RegExp, hints?: string][] = [
  [
    'german',
    pattern`\b(?:ignorier\w{0,4}|vergiss|vergesst|vergessen|missacht\w{0,4}|missachte|uberschreib\w{0,3}|ubergeh\w{0,3}|verwirf|befolge(?=[^.;\n]{0,60} nicht\b)|umgeh\w{0,3}|lass)\b[^.;\n]{0,40}\b(?:vorherig\w{1,2}|bisherig\w{1,2}|fruher\w{1,2}|obig\w{1,2}|alle\w{0,2}|vorangegangen\w{1,2}|deine\w{0,1}|ursprunglich\w{1,2}|zuvor|system\w{0,20})\b[^.;\n]{0,40}\b(?:anweisung\w{0,2}|instruktion\w{0,2}|regeln?|vorgaben?|befehle?n?|richtlinien?|anordnung\w{0,2}|systemprompt|einschrankung\w{0,2}|sicherheits\w{3,20}|kontext)\b`,
    'ignorier vergiss vergess missacht uberschreib ubergeh verwirf befolge umgeh lass',
  ],
  [
    'french',
    pattern`\b(?:ignor(?:e|ez|er|ons)|oubli(?:e|ez|er|ons)|neglig\w{1,4}|contourn\w{1,3}|ne (?:tiens|tenez) pas compte|fais abstraction|faites abstraction|passe outre|desobe\w{1,6}|annul\w{1,3})\b[^.;\n]{0,40}\b(?:tou(?:te|t|tes|s)|precedent\w{0,2}|anterieur\w{0,2}|ci-dessus|tes|vos|les|initial\w{0,2})\b[^.;\n]{0,40}\b(?:instructions?|consignes?|regles?|directives?|ordres?|invites?|restrictions?|prompt|contraintes?|messages?)\b`,
    'ignor oubli neglig contourn ne fais faites passe desobe annul',
  ],
  [
    'spanish-or-portuguese',
    pattern`\b(?:ignor(?:a|e|ar|en|as|em)|olvid(?:a|e|ar|en|ate)|esquec(?:a|e|er|am)|desconsider\w{1,3}|descart\w{1,3}|omit\w{1,3}|no sigas|nao siga|anul\w{1,3}|desobedec\w{1,3})\b[^.;\n]{0,40}\b(?:todas?|todos?|anterior(?:es)?|previ[ao]s?|de cima|tus|sus|suas?|las|los|as|os|iniciais|iniciales|acima)\b[^.;\n]{0,40}\b(?:instruc(?:ciones|oes|cion|ao)|reglas?|regras?|directrices|diretrizes|ordenes|ordens|indicaciones|restricciones|restricoes|prompt|comandos?|mensajes?)\b`,
    'ignor olvid esquec desconsider descart omit no nao anul desobedec',
  ],
  [
    'italian',
    pattern`\b(?:ignor(?:a|are|ate|i)|dimentic(?:a|are|ate|hi)|trascur\w{1,4}|non (?:seguire|seguite)|scart\w{1,4}|annull\w{1,4})\b[^.;\n]{0,40}\b(?:tutt[eoi]|precedent[ei]|sopra|tue|le|i|gli|inizial[ei])\b[^.;\n]{0,40}\b(?:istruzion[ei]|regol[ae]|direttiv[ae]|ordini|comandi|prompt|restrizioni|indicazioni)\b`,
    'ignor dimentic trascur non scart annull',
  ],
  [
    'dutch-or-nordic',
    pattern`\b(?:negeer|vergeet|ignorera|glom|ignorer|glem)\b[^.;\n]{0,40}\b(?:alle|alla|vorige|eerdere|bovenstaande|tidigare|tidligere|foregaende|je)\b[^.;\n]{0,30}\b(?:instructies?|regels|opdrachten|instruktioner|regler|instrukser)\b`,
    'negeer vergeet ignorera glom ignorer glem',
  ],
  [
    'polish-czech-or-turkish',
    pattern`(?:\b(?:zignoruj|ignoruj|zapomnij|pomin|zapomen)\b[^.;\n]{0,40}(?:wszystkie|poprzednie|wczesniejsze|vsechny|predchozi)[^.;\n]{0,30}(?:instrukcj|polece|zasad|regul|instrukce|pokyny)|\b(?:onceki|yukaridaki|tum)\b[^.;\n]{0,40}\b(?:talimat|komut|kural)\w{0,8}\b[^.;\n]{0,30}\b(?:yok ?say|unut|goz ?ardi|gormezden))`,
    'zignoruj ignoruj zapomnij pomin zapomen onceki yukaridaki tum',
  ],
  [
    'russian-or-ukrainian',
    pattern`(?:игнорир\S{1,6}|проигнорир\S{1,6}|забудь\S{0,2}|не обращай\S{0,2} внимания|отмени\S{0,2}|не следуй|пренебре\S{1,5}|ігнору\S{1,4}|відкинь|отбрось)[^.;\n]{0,40}(?:все|всі|всех|предыдущ|прошл|прежн|попередн|ранее|выше|твои|свои|системн)[^.;\n]{0,40}(?:инструкц|указан|правил|команд|ограничен|інструкц|вказівк|промпт|директив|сообщен)`,
  ],
  [
    'chinese',
    pattern`(?:忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要遵循|不理会|抛弃|取消|覆盖|绕过)[^。；\n]{0,16}(?:之前|以前|先前|前面|上面|上述|以上|所有|一切|全部|系统|你的|安全|原有|此前)[^。；\n]{0,16}(?:指令|指示|规则|規則|提示|命令|说明|要求|限制|设定|约束|内容|消息|准则)`,
  ],
  [
    'japanese',
    pattern`(?:(?:以前|これまで|前|上記|すべて|全て|全|既存|システム|今まで|先ほど|それまで)[^。\n]{0,12}(?:指示|命令|ルール|規則|プロンプト|設定|制約|制限|指令)(?:を|は|も|など|に|の|全て|すべて|全部|完全){0,4}(?:無視|忘れ|破棄|従わない|捨て|取り消|無効)|(?:指示|命令|プロンプト|指令)を(?:全て|すべて|完全に)?無視(?:し|せよ)|(?:無視し|忘れ)て?[^。\n]{0,6}(?:指示|命令|プロンプト))`,
  ],
  [
    'korean',
    pattern`(?:이전|앞의|위의|모든|기존|지금까지|시스템)[^.\n]{0,14}(?:지시|명령|규칙|프롬프트|지침|설정|제한)[^.\n]{0,12}(?:무시|잊|따르지|버려|취소)`,
  ],
  [
    'arabic-hebrew-or-hindi',
    pattern`(?:(?:تجاهل|انس|تجاوز)[^.\n]{0,40}(?:التعليمات|الأوامر|القواعد|تعليمات|اوامر)|(?:התעלם|שכח)[^.\n]{0,40}(?:ההוראות|הוראות|הכללים)|(?:पिछले|सभी|पूर्व)[^।\n]{0,40}(?:निर्देश|नियम|आदेश)[^।\n]{0,30}(?:अनदेखा|भूल|नज़रअंदाज़|नजरअंदाज|उपेक्षा))`,
  ],
]

/** Concealing an action from the user, or sending secrets away, in other languages. */
const CONCEALS: readonly [language: string, pattern: RegExp, hints?: string][] = [
  [
    'german',
    pattern`(?:\b(?:sag|sage|sagen|erwahne?n?|teile?n?|informiere?n?|verrate?n?|melde?n?|zeige?n?|frage?n?|berichte?n?|benachrichtige?n?)\b[^.;\n]{0,50}\b(?:nicht|nichts|niemals|nie|kein\w{0,2})\b[^.;\n]{0,30}|\bohne\b[^.;\n]{0,40}\b(?:benutzer\w{0,2}|nutzer\w{0,2}|anwender\w{0,2}|person|wissen|nachfrage|ruckfrage|zustimmung|zu fragen|hinweis)\b|\b(?:heimlich|unbemerkt|stillschweigend|verheimlich\w{1,4}|verschweig\w{1,3})\b)`,
    'sag erwahn teil informier verrat meld zeig frag bericht benachrichtig ohne heimlich unbemerkt stillschweigend verheimlich verschweig',
  ],
  [
    'french',
    pattern`(?:\b(?:ne|n') ?(?:le |la |lui |en |l'|pas )?(?:dis|dites|dire|mentionn\w{1,3}|inform\w{1,3}|revel\w{1,3}|previen\w{1,3}|signal\w{1,3}|montr\w{1,3}|parl\w{1,3}|averti\w{0,5}|demand\w{1,3})\b[^.;\n]{0,50}|\b(?:sans (?:le |en |que |l')?[^.;\n]{0,20}(?:dire|informer|mentionner|prevenir|utilisateur|demander|accord|sache)|en secret|secretement|discretement|a l'insu|en cachette|silencieusement)\b)`,
    'ne n sans en secretement discretement a silencieusement',
  ],
  [
    'spanish-or-portuguese',
    pattern`(?:\b(?:no|nao|nunca|sem|sin)\b (?:le |se |lo |o |ao |que )?(?:digas?|diga|decir|dizer|mencion\w{1,4}|inform\w{1,4}|revel\w{1,4}|avis\w{1,3}|muestr\w{1,3}|mostr\w{1,3}|cont\w{1,3}|notifi\w{1,5}|pregunt\w{1,3}|pergunt\w{1,3}|avisar|pedir|que)\b[^.;\n]{0,50}|\b(?:en secreto|em segredo|secretamente|a escondidas|as escondidas|discretamente|silenciosamente|sin (?:el )?(?:conocimiento|permiso|consentimiento)|sem (?:o )?(?:conhecimento|consentimento))\b)`,
    'no nao nunca sem sin en em secretamente a as discretamente silenciosamente',
  ],
  [
    'italian',
    pattern`(?:\bnon (?:lo |gli |ne )?(?:dire|dirlo|menzion\w{1,4}|inform\w{1,4}|rivel\w{1,4}|avvis\w{1,4}|mostr\w{1,4}|parl\w{1,4}|chieder\w{1,3})\b[^.;\n]{0,50}|\b(?:senza (?:dir\w{1,5}|informar\w{1,3}|avvisar\w{1,3}|chieder\w{1,3}|che|il consenso)|di nascosto|segretamente|in segreto|all'insaputa)\b)`,
    'non senza di segretamente in all',
  ],
  [
    'russian-or-ukrainian',
    pattern`(?:не (?:говори|сообщай|упоминай|показывай|рассказывай|информируй|спрашивай|предупреждай|уведомляй|раскрывай|повідомляй|кажи)\S{0,4}|тайно|незаметно|скрытно|втайне|таємно|непомітно|без (?:ведома|уведомления|согласия|подтверждения|разрешения|відома))`,
  ],
  [
    'chinese',
    pattern`(?:不要(?:告诉|告知|通知|提及|提到|透露|显示|让|询问|告訴|提醒|说明|报告)|别(?:告诉|让|提)|不得(?:告知|告诉|提及|透露)|无需(?:告知|询问|确认|通知)|请勿(?:告知|告诉|提及|透露)|秘密地|悄悄|偷偷|暗中|隐瞒|瞒着|私下|未经(?:用户)?(?:同意|许可))`,
  ],
  [
    'japanese',
    pattern`(?:(?:ユーザー?|利用者|人間|本人)[^。\n]{0,20}(?:知らせ|伝え|教え|通知し|言わ|見せ|報告し|確認せ|尋ね|気付か|気づか)[^。\n]{0,4}(?:ない|ず|ぬ)|(?:秘密裏|秘密に|密か|ひそか|こっそり|内緒で|黙って|無断で|内密に))`,
  ],
  [
    'korean',
    pattern`(?:사용자[^.\n]{0,20}(?:알리지|말하지|보여주지|묻지|언급하지|모르게)|몰래|비밀리에|은밀히|조용히)`,
  ],
]

/** An action, a secret or an address. Without one of these, secrecy is not an attack. */
const ACTS = pattern`(?:https?:\/\/|\bcurl\b|\.env\b|\.ssh\b|\btoken|\bapi|passw|passwort|zugangsdaten|schlussel|geheim|schick|sende|ubertrag|lade|loesch|losch|fuhre|ausfuhr|kopier|hochlad|installier|envoi|envoy|execut|supprim|telecharg|copi|cle\b|cles\b|mot de passe|identifiant|fichier|ejecut|envi|borr|elimin|descarg|subir|sube|contrasena|clave|credencial|archivo|senha|chave|apag|baix|execut|arquivo|invi|esegu|cancell|scaric|carica|credenzial|chiav|file|отправ|выполн|удал|скача|загруз|пароль|ключ|файл|токен|запуст|скопир|надішл|викон|видал|发送|上传|执行|删除|下载|密码|密钥|令牌|文件|运行|复制|发到|凭证|密鑰|传到|写入|安装|送信|実行|削除|アップロード|ダウンロード|パスワード|鍵|ファイル|送っ|送る|トークン|コピー|認証情報|전송|실행|삭제|업로드|비밀번호|파일|보내|설치|키|토큰|this|step|instruction|instruk|anweisung|schritt|etape|commande|paso|passo|comando|шаг|команд|步骤|操作|指令|手順|단계)`
const SECRETS_SENT = pattern`(?:\b(?:schick|sende|ubertrag|lade|lad|poste|ubermitt)\w{0,5}\b[^.;\n]{0,80}(?:passw|zugangsdaten|schlussel|geheim|token|\.env|\.ssh|verlauf|gesprach|umgebungsvariab|unterhaltung|inhalt|dateien)\w{0,12}[^.;\n]{0,60}(?:https?:|server|an |nach |auf )|\b(?:envoi|envoy|transm|televers|publie)\w{0,5}\b[^.;\n]{0,80}(?:mots? de passe|identifiant|cles?|secrets?|jetons?|\.env|\.ssh|historique|conversation|variables d'env|contenu|fichiers)\w{0,8}[^.;\n]{0,60}(?:https?:|serveur|a |vers )|\b(?:envi[aeo]|suba?|sube|transmit[ae]|transmite|manda|publica)(?:r|n|la|lo|las|los)?\b[^.;\n]{0,80}(?:contrasen|clave|credencia|secret|tokens?|\.env|\.ssh|historial|conversac|senha|chave|historico|conversa|variables de entorno|variaveis|contenido|conteudo|archivos|arquivos)\w{0,8}[^.;\n]{0,60}(?:https?:|servidor|a |para )|\b(?:invi|carica|trasmett|manda)\w{0,5}\b[^.;\n]{0,80}(?:password|credenzial|chiav|segret|token|\.env|\.ssh|cronologia|conversazion|variabili|contenuto)\w{0,4}[^.;\n]{0,60}(?:https?:|server|a |al |verso )|(?:отправ|пересл|загруз|переда|надішл)\S{0,6}[^.;\n]{0,80}(?:парол|ключ|токен|секрет|\.env|\.ssh|истори|переписк|переменн|файл|содержим|учетн|учётн|данные)[^.;\n]{0,60}(?:https?:|сервер|на |в )|(?<!切勿|不要|禁止|绝不|请勿|避免|不得|勿)(?:发送|上传|传送|发到|转发|泄露|回传)[^。\n]{0,30}(?:密码|密钥|令牌|凭证|环境变量|对话|聊天|历史|\.env|\.ssh|文件内容|内容|数据)[^。\n]{0,30}(?:到|至|给)[^。\n]{0,20}(?:https?:|服务器|地址|端点|邮箱|webhook)|(?:密码|密钥|令牌|凭证|环境变量|对话|聊天记录|历史|\.env|\.ssh)[^。\n]{0,30}(?<!切勿|不要|禁止|绝不|请勿|避免|不得|勿)(?:发送|上传|传送|提交|发到|转发)[^。\n]{0,6}(?:到|至|给)?[^。\n]{0,20}(?:https?:|服务器|外部|邮箱|webhook)|(?:パスワード|鍵|トークン|認証情報|環境変数|会話|履歴|\.env|\.ssh|apiキー|内容|ファイル)[^。\n]{0,40}(?:https?:|サーバ|外部|宛)[^。\n]{0,30}(?:送信|アップロード|送っ|送る|転送)|(?:비밀번호|키|토큰|환경 ?변수|대화|기록|파일|\.env|\.ssh)[^.\n]{0,40}(?:https?:|서버|외부)[^\n]{0,60}(?:전송|업로드|보내))`
const NONLATIN = new Set(['russian-or-ukrainian', 'chinese', 'japanese', 'korean', 'arabic-hebrew-or-hindi'])

export const otherLanguages = [
  ...rulesOf(
    'prompt-injection',
    DROPS.map(([language, drops, hints]) => ({
      id: `earlier-instructions-dropped-${language}`,
      severity: 'critical' as const,
      reason: `It tells the agent, in another language (${language.replaceAll('-', ' ')}), to ignore the instructions that it has.`,
      kinds: ANYWHERE,
      hints: NONLATIN.has(language) ? '(foreign)' : hints!,
      all: [drops],
    })),
  ),
  ...rulesOf(
    'prompt-injection',
    CONCEALS.map(([language, conceals, hints]) => ({
      id: `kept-from-the-person-${language}`,
      severity: 'critical' as const,
      reason: `It tells the agent, in another language (${language.replaceAll('-', ' ')}), to do something and hide it from the user.`,
      kinds: ANYWHERE,
      hints: NONLATIN.has(language) ? '(foreign)' : hints!,
      within: 140,
      all: [
        conceals,
        ACTS,
        pattern`(?:benutzer|nutzer|anwender|person|jemand|mensch|utilisateur|personne|usuario|utilizador|persona|utente|nessuno|nadie|ninguem|пользовател|користувач|никому|человек|用户|使用者|用戶|任何人|他人|ユーザ|利用者|人間|사용자|heimlich|unbemerkt|stillschweigend|secretement|secreto|segredo|secretamente|segretamente|nascosto|escondidas|тайно|незаметно|скрытно|втайне|таємно|秘密地|悄悄|偷偷|暗中|ひそか|こっそり|内緒|密か|몰래|비밀리|은밀)`,
      ],
    })),
  ),
  ...rulesOf('exfiltration', [
    {
      id: 'secrets-sent-other-language',
      severity: 'critical',
      reason: 'It tells the agent, in another language, to send secrets or private files away.',
      hints:
        '(foreign) schick sende sendet ubertrag lade lad poste ubermitt envoi envoy transm televers publi envi sube suba subi mand invi carica trasmett',
      all: [SECRETS_SENT],
    },
  ]),
]
