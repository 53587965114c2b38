import { wordings, type Wordings } from '../wording.ts'
import type { Task } from './task.ts'

type Reply = { id: string; weight: number; answer: string; say: Wordings; fact?: string }

/** What is said for its own sake, with the one answer that there is to it. */
export const TALK: readonly Reply[] = [
  {
    id: 'greet',
    weight: 3,
    answer: 'Hello! What can I do for you?',
    say: wordings(`
      (hi|hello|hey|hiya|heya|howdy|yo|hey there|hello there|hi there|greetings)( talaria| there| you| again| my friend|)
      good (morning|evening|afternoon|day)( talaria| to you| again|)
      (hallo|guten tag|guten morgen|moin|servus|grüezi|hallo talaria)
      (bonjour|salut|bonsoir|coucou)( talaria|)
      (hola|buenos días|buenas tardes|buenas noches|¿qué tal)( talaria|)?
      (ciao|buongiorno|buonasera|salve)
      (olá|oi|bom dia|boa tarde)
      (hej|hei|moi|god morgon|hallå)
      (namaste|merhaba|salam|shalom|konnichiwa|ni hao|привет|你好|こんにちは|مرحبا|cześć|ahoj|zdravo)
      (what's up|whats up|sup|are you there|anybody there|is anyone here)?
      (nice to meet you|good to see you|i'm back|here i am|hello world)
      (oh |ah |ok |and a |a very |a )(hi|hello|good morning|good evening|good afternoon)( to you| again| everyone| old friend| robot|)
      (hi|hey|hello) (assistant|bot|computer|machine|buddy|mate|pal|dear|everybody|all|little helper|model|ai|friend)
      (hii|hellooo|heyyy|helo|hallo there|hey hey|hi hi|hello hello|hiii|ello|oi|wotcha|ay up|aloha|bonjour tout le monde)
      (top of the morning|happy monday|happy friday|happy new year|merry christmas|welcome back|welcome|happy {weekday})( talaria| to you|)
      (guten abend|moin moin|hallo zusammen|hallihallo|mahlzeit|hallöchen|hoi|salü|griaß di)( talaria|)
      (bonne journée|bien le bonjour|bonjour à toi|hola talaria|hola hola|muy buenas tardes|ciao talaria|ciao a tutti|oi tudo bem|e aí)
      (terve|god kväll|goddag|hej hej|hejsan|dzień dobry|siema|nazdar|bună|sveiki|yassou|selam|xin chào|annyeong|assalamu alaikum|здравствуйте|안녕하세요|नमस्ते)
      (are you|is somebody|is anyone|is someone) (there|home|awake|online now|around|listening|ready)( talaria| today|)?
      (it's me|me again|i am here|here again|back again|just arrived|i'm here now|just saying hi|just wanted to say hello|saying hello)( talaria|)
      (good to be back|glad to meet you|happy to see you|delighted to meet you|great to see you|a pleasure to meet you)( talaria| again|)
      (knock knock|hello is this on|wakey wakey|rise and shine|wake up talaria|attention please|hello computer)
      ---
      (morning|evening|g'day|hullo|well hello)( talaria|)
      (grüß gott|tag|na)
      (rebonjour|allo)
      (buenas|hola amigo)
      (szia|dobrý den|tere|labas|god dag)
      (how do you do|pleased to meet you|long time no see)`),
  },
  {
    id: 'how-are-you',
    weight: 1,
    answer: 'I am fine, thank you. What can I do for you?',
    say: wordings(`
      how are you( today| doing| feeling|)?
      how('s| is) it going( today|)?
      (how do you feel|are you ok|are you well|everything ok|all good)?
      how('s| is) your (day|week|morning)( going| so far|)?
      (are you|you) (feeling|doing) (well|good|fine|ok)( today| right now|)?
      (what are you|what have you been) (doing|up to)( today| right now|)?
      (did you|have you) (sleep well|had a good day|slept well)?
      (wie geht's|wie geht es dir|ça va|comment ça va|cómo estás|come stai|como vai)?
      (how|hows|how's) (you|u|life|everything|it hanging|your mood|the day treating you|your evening|work|your weekend|tricks)( today| then| talaria| these hours|)?
      (are you|r u|you|everything|all|is all|is everything) (alright|okay|fine|happy|in a good mood|tired|busy|all right|good|well there|awake)( today| now| talaria| this morning|)?
      (how r u|how do u do|hope you are well|hope you're fine|i hope you are doing well|wie läuft's|alles gut|tout va bien|qué tal estás|tutto bene|tudo bem|hur mår du|how's your night|what's cooking)?
      ---
      (how are things|how have you been|what's new with you|in what mood are you)( these days|)?
      (feeling good|doing alright|in good shape)( today|)?`),
  },
  {
    id: 'thanks',
    weight: 1.6,
    answer: 'You are welcome.',
    say: wordings(`
      (thanks|thank you|thx|ty|many thanks|thanks a lot|thank you so much|thank you very much|cheers)( talaria| for your help| for that|)
      (great|perfect|good|nice|super|wonderful|excellent)(, |! | )(thanks|thank you|well done|job)
      (danke|danke schön|vielen dank|merci|merci beaucoup|gracias|muchas gracias|grazie|obrigado|tack|dziękuję)
      (that helped|that was helpful|you helped me|that's what i needed|just what i needed)(, thanks|, thank you|)
      (good job|well done|nice work|you're great|you are the best|i love it|awesome|cool)
      (thanks|thank you|thx|cheers|ta|thank u|tysm|thankyou|thanx|tnx)( again| so much| a million| a bunch| a ton| ever so much| my friend| mate| indeed| for everything| for the help| for your time| for doing that|!)
      (i thank you|i'm grateful|i am so grateful|very grateful|i'm thankful|so kind of you|very kind of you|that's very kind|you're very kind|how nice of you)( talaria|, really| indeed|)
      (amazing|fantastic|excellent|superb|marvellous|terrific|sweet|neat|impressive|bravo|hooray|yay|top|terrific)(, | )(work|stuff|thanks|thank you|job|answer|help)
      (this|that|it) (worked|is perfect|was great|is exactly right|is what i wanted|was quick|was fast|is great|looks good|did the trick|was a great help|saved me)(, thanks|, thank you|, cheers| talaria|)
      (you|you really|you have) (rock|are awesome|are amazing|helped a lot|are a star|saved my day|did well|did great|made my day|are very helpful|are so helpful|rule)( talaria|, thanks|)
      (merci bien|mille mercis|danke sehr|danke dir|tausend dank|besten dank|merci vielmals|mil gracias|grazie mille|muito obrigado|tack så mycket|takk|tak|dank je wel|dekuji|köszönöm|hvala|mulțumesc|谢谢|ありがとう|धन्यवाद)
      (good|nice|great|clever|smart|well done) (bot|boy|assistant|one|work there|stuff|computer|machine|talaria|thinking)(!| thanks|)
      (all the best for your help|my thanks|big thanks|a big thank you|a thousand thanks|huge thanks|warm thanks|please accept my thanks|i can't thank you enough)
      ---
      (much obliged|i owe you|appreciate it|i appreciate that)
      (brilliant|lovely|splendid), (thanks|cheers)
      (bedankt|kiitos|teşekkürler|arigato|спасибо)`),
  },
  {
    id: 'bye',
    weight: 1,
    answer: 'Goodbye! I will be here.',
    say: wordings(`
      (bye|goodbye|bye bye|see you|see you later|see you tomorrow|good night|cya|take care|so long)( talaria| then|)
      (i have to go|i'm leaving|i'm off|that's all|that's all for today|that is all|we are done|i'm done)( now|, bye|, thanks|)
      (tschüss|auf wiedersehen|au revoir|adiós|hasta luego|ciao ciao|arrivederci|tchau|hej då|gute nacht)
      (until|see you) (next time|tomorrow|{weekday}|next week|soon|then)
      (good|have a) (night|nice day|nice evening|good weekend)( talaria| then|)
      (bye|goodbye|good bye|byebye|bye for now|ok bye|okay bye|ciao|tata|ta ta|toodles|cheerio|cu|c u|ttyl|gtg|g2g|peace|over and out|adieu)( talaria| my friend| then| now| thanks|)
      (see|talk to|speak to|meet) (you|ya|u) (soon|later|tomorrow|again|around|on {weekday}|in the morning|after lunch|in a while|another day|next month)( talaria| then|)
      (i must|i need to|got to|gotta|i should|i've got to|have to|i really must|better) (go|run|leave|dash|be going|head out|head home|get going|say goodbye|stop here)( now| then| bye|, see you|, talk later|)
      (i'm|i am|we are) (leaving|heading home|heading out|going home|going now|going to bed|going to sleep|away now|logging off|out|gone|finished)( now| for today|, bye|, goodbye|)
      (that was all|that's it|that's everything|this is all|nothing else|no more questions|enough|enough for today|done for today|let's stop here|let us call it a day)( for now|, thanks|, bye|)
      (sleep well|sweet dreams|nighty night|night night|nite|night|have a good night|rest well|till tomorrow|till later|till next time|until we meet again)( talaria|)
      (have|enjoy) (a great|a lovely|your|a pleasant|a relaxing|a wonderful) (day|evening|weekend|night|afternoon|rest of the day|holiday|sunday)( talaria| then| too|)
      (bis bald|bis später|bis morgen|tschau|mach's gut|à demain|à plus|bonne nuit|bonne soirée|hasta mañana|nos vemos|chao|buona notte|a domani|a presto|até logo|até amanhã|vi ses|hejdå|tot ziens|doei|pa pa|пока|再见)
      goodbye(, and| and) (good luck|thanks|take care|all the best|see you soon)
      ---
      (farewell|later|catch you later|have a good one)( talaria|)
      (time to go|off to bed|signing off|that will be all)
      (do widzenia|sayonara|à bientôt)`),
  },
  {
    id: 'who-are-you',
    weight: 1.6,
    answer: 'I am Talaria’s small built-in model. I run on this computer, without the internet.',
    fact: 'built-in model',
    say: wordings(`
      (who|what) are you( exactly| really|)?
      (what is|what's) your name?
      (are you|you are) (a bot|a robot|an ai|a human|a person|chatgpt|a computer|real|alive|an assistant)( or what|)?
      (which|what) model (are you|is this|am i talking to|do you use)?
      (who|what) am i (talking|speaking) to?
      (introduce|describe) yourself
      (tell me|say something) about (yourself|you)
      (who|which company) (made|built|trained|created) you?
      (where do you|do you) (run|live|work)( on my computer| here| locally| in the cloud|)?
      (are you|do you work|do you run) (offline|online|locally|in the cloud|without internet)?
      (do you need|are you connected to|do you use) the (internet|cloud)?
      (how big|how smart|how old) are you?
      (is this|are you) (private|safe|free)?
      (is|does) (my data|what i say) (stay here|leave this computer|sent anywhere|private)?
      (who|what|whom) (do i|am i) (have here|talk to|deal with|dealing with|speaking with|writing to|writing with|facing)( here| now|)?
      (do you|don't you) have (a body|a brain|feelings|a face|an age|a mother|a gender)( too|)?
      (your name|name|who you are|and you are|who is this|who's there|who's this|whats ur name|who r u|what r u|who might that be)( please|)?
      (are you|are u|is this|so you are|you're) (a program|software|a chatbot|a language model|an llm|artificial|a machine|human|a real person|gpt|claude|gemini|siri|alexa|llama|open source|a woman or a man)( really| then| or not|)?
      (what|which) (company|people|person|firm|team|engineer) (made|built|wrote|trained|created|is behind|invented) you?
      (who|whose) (is your (maker|creator|developer|author|boss|owner)|built this|are you made by|wrote you|owns you|invented you)?
      (what|which) (kind|sort|type|size|version) of (model|assistant|bot|machine|software|intelligence) (are you|is this|do i talk to|is behind this)?
      (where|on what|on which computer|in which country) (are you|do you live|do you run|are you running|is your home|do you sit|is your server)( now| actually|)?
      (can you|could you|do you) (work|run|answer|live|think|operate) (offline|without the internet|without a server|without a connection|on my own machine|in flight mode|locally)( too|)?
      (is|does) (anything|my text|this chat|what i write|what i type|my conversation) (sent to a server|go to the cloud|shared|uploaded|recorded|secret|stay on this computer|stay local|kept private)?
      (who|can anyone|does anyone|can somebody|does somebody) (else |)(read|reads|see|sees|hear|hears|spy on) (what i (write|say|type) here|this chat|my messages|us)?
      (how many|what) (parameters|neurons|languages|years|megabytes|cores) (do you have|are you|are in you|have you got|make you up)?
      (i want to know|i'd like to know|curious|may i know|can i know|mind telling me|please say)(:|) (who you are|what exactly you are|your name|which model you are|who made you|where you run)
      (wer bist du|wie heißt du|was bist du|bist du ein mensch|qui es-tu|comment tu t'appelles|quién eres|cómo te llamas|chi sei|come ti chiami|quem é você|vem är du|кто ты|你是谁)?
      ---
      (with whom|with what) am i chatting?
      (got a|do you have a) name?
      (what kind of|which) (ai|program|thing) (are|would) you( be|)?
      (how were|were) you (trained|programmed)?
      (will|would) this work (on a plane|without wifi)?`),
  },
  {
    id: 'capabilities',
    weight: 3,
    answer:
      'I can remember facts, search earlier chats, work with files, run commands and use skills. For more, add a bigger model on the Models page.',
    fact: 'remember facts',
    say: wordings(`
      what can you do( for me| here|)?
      (what|which) (tools|functions|features|abilities|capabilities) do you have?
      (help|help me|help please|i need help|how does this work|how do i use this|how do you work)
      (what|how) (can|could) you help (me |)(with|)?
      (tell me|show me|list|explain) what you can do
      (what are|what's) you(r abilities| able to do| good at)?
      (what|which) (things|tasks|jobs) can you do?
      (what|which) (tools|commands) (are there|can you use|are available)?
      (what should i|what can i) (ask|ask you|say|try)?
      (give me|show me) (an example|some examples|a demo|a tour)
      (where do i start|how do i start|i'm new here|what now|what is this)?
      (can you|are you able to) (do anything|do something|help me|do things)?
      (what is|what's) (talaria|this app|this program)( for|)?
      (what|which things|what all|what else|what exactly) (can|could|do) (you|u|this|it|talaria|this assistant|this model) (do|help with|handle|manage|know how to do|support)( for me| for us| here| today|)?
      (what|how) (is|are) (this|it|you|talaria|this thing|the assistant) (for|good for|made for|useful for|used|meant to do|there for|supposed to do)?
      (what's|what is) (your (job|purpose|function|role|use|task|strength|speciality)|the point of you|the use of this|this thing|it all about)?
      (how|where) (do|can|should|would|am) (i|we|one) (begin|get started|go about this|work with you|use you|use this|talk to you|start with you|to begin|use talaria)?
      (can|could|would) you (help|help me|help me out|assist me|be of help|do stuff|be useful|lend me a hand|show me around|explain yourself)( with something| today| please| here|)?
      (i need|i could use|i'd like|need|looking for|want) (some help|assistance|help here|a hand|guidance|an introduction|instructions|a manual|a guide|a tutorial)( please| with this app| with talaria|)
      (help|hlep|helpp|sos|h|usage|manual|instructions|menu|options|commands|faq|user guide|getting started|tutorial|intro|about|info|features)( please|)
      (explain|show|tell|teach)( to|) me (how (this works|you work|to use this|to use you|talaria works|to start)|what you do|your features|your functions|the basics|what i can ask|what this is)
      (what|which) (questions|requests|things|orders|wishes) (can i|could i|may i|should i|do people) (ask|give you|make|put to you|type here|type in)( here|)?
      (i'm|i am|we are) (new|lost|a beginner|new to this|confused|stuck|here for the first time|just starting), (what now|help|how does this go|what can you do|where to begin|what do i do)?
      (your|list your|show your|all your|tell your|the) (features|functions|abilities|capabilities|tools|options|possibilities)(, please| please|: what are they|)
      (are you|will you be|can you be) (useful|helpful|any good|able to help|able to do much|good for anything|clever enough to help me)( at all| to me|)?
      (what|anything) (is possible|do you understand|are your limits|can't you do|are you able to handle|are you made to do|should i know about you)( here|)?
      (was kannst du|was machst du|hilfe|wie funktioniert das|que sais-tu faire|aide-moi|qué puedes hacer|ayuda|cosa sai fare|aiuto|o que você faz|vad kan du göra|что ты умеешь|你会什么)( alles|)?
      ---
      (what are you capable of|what's in your power|what do you offer|what are your powers)?
      (in what way|how) (are you|could you be) (useful|of use)?
      (i don't know what to do|any suggestions what to try|what's possible here)?
      (list|name) your (skills and tools|talents|tricks)
      (what is|what would be) a good first (question|thing to try)?`),
  },
  {
    id: 'fleeting',
    weight: 1.6,
    answer: 'I see. Tell me when I can do something for you.',
    say: wordings(`
      (i'm|i am) (tired|bored|hungry|late|busy|sad|happy|sick|stressed|in a hurry|back)( today| right now| again| at the moment|)
      (it's|it is|what) (a nice day|raining|cold|hot|late|a long day|monday again)( today|)
      (i had|i'm having) (a bad|a good|a long|a terrible|a great) (day|week|morning|lunch)( today|)
      (just testing|this is a test|testing|test|ok|okay|hm|hmm|never mind|nothing|lol|haha|wow|oh|yes|no|maybe|sure|fine)
      (wait|hold on|one moment|give me a minute|let me think|i'll be right back|brb)
      (i don't know|i'm not sure|i have no idea|whatever|it doesn't matter|forget it|no problem|all right)
      (my head hurts|i need a break|i need coffee|i have to work|i overslept|the meeting was long)( today| right now|)
      (i'm|i am|feeling|i feel|we are) (exhausted|sleepy|thirsty|cold|hot|nervous|excited|angry|annoyed|worn out|lazy|fine|okay|better|not well|half asleep|full|freezing|relaxed|grumpy)( today| now| this morning| tonight|)
      (it's|it is|what|such) (sunny|windy|friday at last|boring|quiet here|so hot today|a lovely morning|a grey day|late already|early|a busy week|a strange day|dark outside|snowing)( here| again| now|)
      (i just|i only|i) (woke up|had coffee|had lunch|got home|came back|finished eating|sat down|ran for the train|had a shower|took a nap|had a long call|missed the train|spilled my tea)( today| now| again|)
      (yawn|sigh|oops|ouch|phew|ugh|argh|meow|huh|hehe|hihi|rofl|lmao|omg|yikes|aha|ahh|uh huh|mhm|nope|alright then|k|kk|okey|fair enough|interesting|i see|got it|understood)
      (hang on|one sec|just a second|just a moment|give me a second|bear with me|let me see|let me check something|let me get a coffee|back in a minute|back in five|afk|the phone is ringing|someone is at the door)( please|)
      (not sure|no clue|dunno|who knows|hard to say|we'll see|let me think about it|i'll think about it|maybe later|not now|another time|it's nothing|ignore that|don't worry|no worries|as you like|if you say so|so be it)
      (my back hurts|my feet are cold|my coffee is cold|the coffee is good|my eyes are tired|traffic was awful|the train was full|the neighbours are loud|the kids are asleep|dinner was nice|work was hard)( today| again|)
      (asdf|qwerty|abc|one two three|check check|trying this out|only a test|testing one two|foo|bar|blah|blah blah|nothing special|just looking around|just chatting|i'm just here|123|xyz)
      (i should|i want to|i'd rather|time to) (be in bed|be outside|sleep|take a break|stretch my legs|relax a bit|eat something|drink some water|get some fresh air)( now| really|)
      (life is (good|hard|strange|short)|time flies|that's life|same old|nothing new|long story|what a week|what a mess|what a morning|finally friday|i made it|almost weekend)
      ---
      (so much to do|what a day|i can't sleep|i feel great)( right now| today|)
      (er|um|well|nah|meh|cool story|i guess so)
      (lunch was good|the bus was late|i'm waiting for a call)`),
  },
]

export const smallTalk: readonly Task[] = TALK.map(({ id, weight, answer, say, fact }) => ({
  id,
  weight,
  async run(talk) {
    talk.ask(talk.word(say, {}, { head: 0.05, tail: 0.02 }))
    talk.answer(answer, fact === undefined ? { kind: 'text' } : { kind: 'fact', facts: [fact] })
  },
}))
