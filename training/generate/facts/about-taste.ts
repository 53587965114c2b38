import type { Written } from './relation.ts'

/** What people like, eat, drink, prefer and do in their free time. */
export const aboutTaste: Readonly<Record<string, Written>> = {
  allergy: {
    value: '{food}',
    said: `
      (i'm|i am) (allergic|very allergic|badly allergic|highly allergic|a bit allergic) to {food}
      i have (an allergy|a bad allergy|a strong allergy|a food allergy) to {food}
      i (can't|cannot|must not|can not) (eat|have|touch|go near) {food}
      (my allergy is|my food allergy is|my body rejects|i get a rash from|i get hives from|i've got an allergy to) {food}
      ---
      i react badly to {food}
      i don't tolerate {food}`,
    topic: `
      my (allergy|food allergy|allergies)
      (what|the thing|the food) i'm allergic to
      (what|the food that|the thing) i (can't|cannot|must not|may not) (eat|touch)
      ---
      the food i can't have
      which food makes me ill`,
    ask: `
      (what|which food|which thing) am i allergic (to|against)?
      (what|which food|which foods) (can't|can|must|may|should) i not (eat|have|touch|order)?
      what (can't i eat|mustn't i eat|shouldn't i eat)?
      (what is|what's|what was|which is|name|tell me|say) my (allergy|food allergy)( again|)?
      do i have (an allergy|any allergies|some allergy|allergies)( to any food| to food|)? which one?
      (do you|can you) (know|remember|recall|tell me|say) what i'm allergic to?
      (tell me|i forgot|any idea|say|name) what i'm allergic to( again| please|)
      (what|which food) (gives me|causes|triggers) (an allergy|a rash|my allergy|allergic reactions)?
      (cooking for me|if you cook for me|before i order)(: |, )what (can i not eat|must be left out)?
      (my allergy|food allergies|allergy|allergic to)(, | - |: )(which one|what exactly|what again|please)?
      ---
      which food is bad for me?
      what food must i avoid?
      am i allergic to something?`,
  },
  favourite: {
    value: '{colour}',
    said: `
      my (favourite|favorite|preferred|top|number one|absolute favourite) (colour|color) is {colour}
      i (like|love) {colour} (best|most) of all (colours|colors)
      my (colour|color) of choice is {colour}
      ---
      my best loved colour is {colour}`,
    topic: `
      my (favourite|favorite|preferred|top) (colour|color)
      (the|what|which) (colour|color) i (like|prefer) (best|most|above all)
      ---
      which colour i love most`,
    ask: `
      (what is|what's|what was|which is|tell me|say) my (favourite|favorite|preferred|top) (colour|color)( again|)?
      (which|what) (colour|color) (is my favourite|do i like best|do i like most|do i prefer|am i keen on|is my number one|would i pick)?
      (do you|can you) (know|remember|recall|tell me|say) my (favourite|favorite) (colour|color)?
      (tell me|i forgot|say|need to know) (my favourite colour|my favorite color|which colour i like best)( please|)
      (of all colours|among the colours|if i had to paint a wall|colour question)(, |: )(which do i like best|which one do i prefer|which one is mine)?
      (my colour|my favourite colour|favorite color|colour i like|best colour for me)(, | - |: )(which one|what again|which is it|please)?
      (in|with) (which|what) (colour|color) (am i happiest|can you please me|do i like things best)?
      ---
      which colour do i love more than any other?
      name my favourite colour`,
  },
  favouriteFood: {
    value: '{food}',
    said: `
      my (favourite|favorite|top|number one|go-to|preferred) (food|dish|meal|thing to eat) is {food}
      my (comfort food|dish of choice|best meal of all|lifelong favourite food) is {food}
      i (like|love|enjoy) {food} (best|most) of all (foods|dishes|meals)
      ---
      my best loved food is {food}`,
    topic: `
      my (favourite|favorite|top|preferred) (food|dish|meal|thing to eat)
      (what|which food|the meal|the dish) i like to eat (best|most)
      ---
      which food i love most`,
    ask: `
      (what is|what's|what was|which is|tell me) my (favourite|favorite|top|preferred|go-to) (food|dish|meal)( again|)?
      (what|which food|which meal) do i (like to eat|like eating|enjoy|prefer|want to eat) (best|most|above all)?
      (which|what) (food|dish|meal) (is my favourite|is my number one|makes me happy|am i happiest with|should you cook me)?
      (do you|can you) (know|remember|recall|tell me|say) my (favourite|favorite) (food|dish|meal)?
      (tell me|say|i forgot|remember|need to know) (my favourite dish|my favorite food|what i like to eat best)( please|)
      (what|which dish) could i eat (every day|all day|for ever|again and again)?
      (my food|my favourite meal|favorite food|best dish for me|my dish)(, | - |: )(which one|what again|which is it|please)?
      (if someone cooks for me|for my birthday dinner|to please me)(, |: )(which dish would be my favourite|what is my favourite food)?
      ---
      what would i order in any restaurant?
      name the dish i like best`,
  },
  favouriteAnimal: {
    value: '{animal}',
    said: `
      my (favourite|favorite|top|preferred|number one) animals are {animal}
      i (love|really love|like) {animal}( a lot| very much| so much| most of all| more than other animals|)
      (i'm|i am) (crazy about|a big fan of|mad about|a friend of|very keen on) {animal}
      ---
      i adore {animal}`,
    topic: `
      my (favourite|favorite|top|preferred) (animals|animals of all)
      (which|what|the) animals i like( best| most|)
      ---
      the animals i love most`,
    ask: `
      (what are|which are|what were|tell me|name|say) my (favourite|favorite|top|preferred) animals( again|)?
      (which|what) (animals|creatures|beasts|species) do i (like|love|prefer|enjoy|care for) (best|most)?
      (do you|can you) (know|remember|recall|tell me|say) (my favourite animals|which animals i like)?
      (which|what) animals (are my favourite|are my favourites|make me happy|am i crazy about|am i keen on|am i a fan of|would i visit in the zoo)?
      (tell me|i forgot|say|need to know) (my favourite animals|which animals i like best)( please|)
      (my animals|my favourite animals|favorite animals|animals i like)(, | - |: )(which ones|what again|which are they|please)?
      ---
      what kind of animals do i love?`,
  },
  fear: {
    value: '{animal}',
    said: `
      (i'm|i am) (afraid|scared|very scared|really afraid|so afraid|a bit scared) of {animal}
      i (fear|dread|run from|always run from|have a fear of|have a phobia of|get the creeps from) {animal}
      my (biggest fear is|greatest fear is|phobia is) {animal}
      ---
      i'm terrified of {animal}`,
    topic: `
      (what|the animals|which animals) (i'm|i am) (afraid|scared) of
      my (fear|biggest fear|phobia)
      ---
      which animals frighten me`,
    ask: `
      (what|of what|which thing) am i (afraid|scared|fearful|so afraid) (of|about)?
      (which|what) animals am i (afraid of|scared of|nervous about|worried about)?
      (which|what) animals do i (fear|dread|run from|panic about)?
      (what is|what's|tell me|name|say) my (fear|phobia|biggest fear|greatest fear)( again|)?
      (do you|can you) (know|remember|recall|tell me|say) what (i'm|i am) (afraid|scared) of?
      do i have (a fear|a phobia|any fears|fears)( of animals| of something|)? which?
      (tell me|i forgot|say|need to know) (what i'm afraid of|what i'm scared of|my fear)( please|)
      (my fear|my phobia|afraid of|scared of)(, | - |: )(what again|which animals|which is it|please)?
      (what makes me|which animals make me) (afraid|scared|nervous|panic|run away)?
      ---
      which animals frighten me?
      what scares me?`,
  },
  hobby: {
    value: '{hobby}',
    said: `
      my (|favourite |favorite |main |only |new |big |great )hobby is {hobby}
      my (passion|big passion|great love|number one hobby|leisure activity) is {hobby}
      (i'm into|i am into|i'm mad about|i'm keen on|i'm a fan of|i have a passion for) {hobby}
      ---
      my pastime is {hobby}`,
    topic: `
      my (hobby|hobbies|main hobby|passion)
      (what|which) (my hobby is|hobby i have)
      ---
      what i do in my free time`,
    ask: `
      (what is|what's|what was|which is|tell me|say) my (hobby|main hobby|favourite hobby|passion|leisure activity)( again|)?
      (which|what) (hobby|hobbies) (do i have|have i got|is mine|did i tell you|do i enjoy)?
      what do i (like to do|do|enjoy doing|love doing|do for fun) (in my free time|after work|for fun|at the weekend|in my leisure time)?
      (do you|can you) (know|remember|recall|tell me|say) (my hobby|what my hobby is|which hobby i have)?
      (tell me|i forgot|need to know) (my hobby|what my hobby is)( please|)
      do i have (a hobby|any hobbies|hobbies)? (which|what is it|which one)?
      (what am i into|what do i do for fun|what do i do for pleasure|what's my passion)?
      (my hobby|my hobbies|hobby|hobby of mine)(, | - |: )(which one|what again|which is it|please)?
      ---
      how do i spend my spare time?
      name my hobby`,
  },
  likes: {
    key: '{food}',
    value: '{food}',
    said: `
      i (like|love|really like|enjoy|really love|truly like|always enjoy|often enjoy|fancy) {food}
      i (like|love|enjoy) (eating|having) {food}
      i (like|love|enjoy) {food} (a lot|very much|so much|quite a bit)
      (i'm|i am) (a fan of|a big fan of|crazy about|a lover of|always happy with|keen on) {food}
      ---
      i am fond of {food}`,
    topic: `
      (that|how much|whether|the fact that) i (like|love|enjoy) {food}
      (what i think|my opinion|my view|what i said) of {food}
      ---
      my taste for {food}`,
    ask: `
      do i (like|love|enjoy|fancy|care for) {food}?
      (what|which things) do you (know|remember) about me and {food}?
      (am i|would i be|was i) (a fan of|keen on|happy with|crazy about|into|a lover of) {food}?
      (what do i|what did i|how do i) (think|say|feel) (of|about) {food}?
      (do you|can you) (know|remember|recall|tell me|say) (if|whether) i (like|enjoy|love) {food}?
      (is|was) {food} (a thing i like|a food i like|to my taste|my thing|my cup of tea)?
      {food}(, | - |: )(do i like it|do i like that|yes or no for me|is that what i like|do i enjoy it)?
      (tell me|i forgot|say) (if|whether) i (like|love|enjoy) {food}( or not|)
      ---
      am i fond of {food}?`,
  },
  dislikes: {
    key: '{food}',
    value: '{food}',
    said: `
      i (don't|do not) (like|eat|want|touch|enjoy|care for|love) {food}
      i (hate|never eat|never touch|never order|detest|loathe|can't bear|cannot bear|refuse) {food}
      (i'm|i am) (not a fan of|no fan of|not keen on|no friend of|disgusted by|sick of) {food}
      ---
      i can't stand {food}
      i dislike {food}`,
    topic: `
      (that|the fact that|whether) i (don't|do not) (like|eat|want) {food}
      (what i have|what i said|my feelings) against {food}
      ---
      my dislike of {food}`,
    ask: `
      (do|would|could|will|did) i (eat|ever eat|order|want to eat|touch) {food}?
      do i (hate|detest|loathe|refuse) {food}?
      (do you|can you) (know|remember|recall|tell me|say) (if|whether) i (eat|hate|would eat) {food}?
      (should|could|can) (you|one|people) (cook|serve|offer|order) {food} for me?
      (what do i have|have i got anything|do i have something) against {food}?
      {food}(, | - |: )(do i eat it|do i eat that|would i eat it|do i hate it|would i order that)?
      (tell me|i forgot|say) (if|whether) i (eat|hate|would eat) {food}( or not|)
      ---
      is {food} something for me?`,
  },
  prefers: {
    value: '{preference}',
    said: `
      i (prefer|always prefer|usually prefer|often prefer|choose|always choose|usually choose|pick|want|always pick) {preference}
      i like {preference} (better|more|best)
      i (always go for|usually go for|opt for|always want|usually want|always ask for) {preference}
      my (preference is|choice is|usual choice is|preferences are) {preference}
      ---
      i tend to prefer {preference}
      i favour {preference}`,
    topic: `
      (what|that which|the thing) i (prefer|always prefer|like better)
      my (preference|preferences|choice|usual choice)
      ---
      what i'd rather have`,
    ask: `
      what (do|did) i (prefer|choose|like better|like more|always pick|go for|opt for|usually want)?
      (what is|what's|what are|what was|tell me|say) my (preference|preferences|choice|usual choice)( again|)?
      (do you|can you) (know|remember|recall|tell me|say) (what i prefer|my preference|what i like better|what i usually want)?
      (tell me|i forgot|say|need to know) (what i prefer|my preference|what i like better)( please|)
      (which|what) (preference|preferences) (do i have|have i got|did i tell you|did i name)?
      (how|in what way) do i (like it|like things|want it|prefer it|want things)?
      (if i could choose|given the choice|if you ask me)(, |: )what do i (prefer|choose|take)?
      (my preference|my choice|preferences)(, | - |: )(which one|what again|which is it|please)?
      ---
      what would i rather have?`,
  },
  diet: {
    key: '{diet}',
    value: '{diet}',
    said: `
      (i'm|i am) {diet}
      (i'm|i am) (still|also|actually|in fact|now|really) {diet}
      (i'm|i am) {diet} (myself|now|you know|by the way|as it is)
      ---
      i have been {diet} for years`,
    topic: `
      (that|the fact that|whether) (i'm|i am) {diet}
      what i (said|told you) about being {diet}
      ---
      me being {diet}`,
    ask: `
      am i (|still |really |actually |now |also )(called |)({diet}|{diet} or not)?
      (do you|can you) (know|remember|recall|tell me|say) (whether|if|that) (i'm|i am) {diet}?
      (did i|have i) (say|said|tell you|told you|mention) that (i'm|i am) {diet}?
      {diet}(, | - |: )(am i that|is that me|is this me|does that describe me|yes or no)?
      (would you say|do you think|have you noted|is it noted|is it right|is it correct) that (i'm|i am) {diet}?
      (tell me|i forgot|say) (whether|if) (i'm|i am) {diet}( or not|)
      ---
      is it true that i'm {diet}?`,
  },
  coffee: {
    value: '{coffee}',
    said: `
      i (drink|take|like|want|need|order|prefer|always drink|usually take|always order) my coffee {coffee}
      my (coffee|morning coffee|usual coffee|cup of coffee|perfect coffee) (is|has to be|must be|should be) {coffee}
      i (drink|always drink|like) coffee {coffee}
      ---
      i have my coffee {coffee}`,
    topic: `
      my (coffee|usual coffee|coffee order|cup of coffee)
      how i (drink|take|like|want|order) my (coffee|cup of coffee)
      ---
      the way i drink coffee`,
    ask: `
      how do i (drink|take|like|want|order|prefer|enjoy) my (coffee|cup of coffee|morning coffee)?
      (do you|can you) (know|remember|recall|tell me|say) how i (drink|take|like|want) my coffee?
      how (should|must) my coffee (be|look|be made|be served)?
      (tell me|i forgot|say|need to know) how i (like|take|drink) my coffee( please|)
      (what is|what's|what was|tell me) my (coffee|usual coffee|coffee order)( again| like|)?
      (what|anything|does something) (goes|to put|comes) (in|into|with) my coffee?
      (if you make me|when you bring me|if you order me) a coffee(, |: )how (should it be|do i like it|do i take it)?
      (my coffee|coffee for me|coffee|my cup of coffee)(, | - |: )(how do i take it|how again|how|how should it be)?
      ---
      which way do i have my coffee?
      what kind of coffee do i drink?`,
  },
  instrument: {
    value: '{instrument}',
    said: `
      i (play|always play|often play|learn|practise|study|love playing) the {instrument}
      i play {instrument}( in a band| at home| in an orchestra| for fun|)
      my (instrument|main instrument|musical instrument) is the {instrument}
      ---
      i make music on the {instrument}`,
    topic: `
      my (instrument|musical instrument|main instrument)
      (what|which instrument|the instrument) i (play|practise|learn)
      ---
      the instrument i make music on`,
    ask: `
      (which|what) (instrument|musical instrument|thing) (do i play|do i practise|can i play|am i learning to play|is mine|did i say i play)?
      what (do|can|did) i play( in the band| in the orchestra| in music|)?
      (what is|what's|which is|what was|tell me|say) my (instrument|musical instrument|main instrument)( again|)?
      (do you|can you) (know|remember|recall|tell me|say) (which instrument i play|my instrument|what i play)?
      (tell me|i forgot|need to know) (my instrument|which instrument i play|what i play)( please|)
      do i play (an instrument|any instrument|something)? (which|what is it|which one)?
      (if i joined a band|in an orchestra|when i practise)(, |: )(what do i play|which instrument is mine)?
      (my instrument|musical instrument|instrument of mine)(, | - |: )(which one|what again|which is it|please)?
      ---
      on what do i make music?
      name the instrument i play`,
  },
  activity: {
    key: '{activity}',
    value: '{weekday}',
    said: `
      i (go|always go|usually go|often go) {activity} (on {weekday}s|every {weekday}|on {weekday}|on {weekday} evenings|on a {weekday})
      i (have to|love to|like to|must|want to) go {activity} (on {weekday}s|every {weekday})
      ---
      i usually go {activity} each {weekday}`,
    topic: `
      (when|the day|on which day|which day|what day) i go {activity}
      (my|the) day for going {activity}
      ---
      on what day i'm off {activity}`,
    ask: `
      when (do i|should i|must i|do i usually|do i always|do i have to) go {activity}?
      (which|what|on which|on what) (day|day of the week) (do|did|should|will) i (go|usually go) {activity}?
      (do you|can you) (know|remember|recall|tell me|say) (when|which day|on which day) i go {activity}?
      (tell me|i forgot|say|need to know) (when|what day|on which day) i go {activity}( please|)
      (what is|what's|which is) (my|the) day (for going|to go|when i go) {activity}?
      how is it with going {activity}(, |: | - )(which day|when|on what day)?
      going {activity}(, | - |: )(when is that|which day|what day again|when)?
      ---
      on what weekday am i off {activity}?`,
  },
  wake: {
    value: '{hour}',
    said: `
      i (get up|wake up|usually get up|always wake up|get out of bed|always get up|leave my bed|must get up|have to get up) at {hour}
      my (alarm|alarm clock) (rings|goes off|is set for|is set to|wakes me at|sounds at|is at) {hour}
      my (day|morning) (starts|begins) at {hour}
      ---
      i rise at {hour}`,
    topic: `
      (when|the time|at what time|what time) i (get up|wake up|get out of bed)
      my (alarm|alarm clock|wake-up time|alarm time)
      ---
      how early i rise`,
    ask: `
      (when|what time|which time|at what time|at what hour) (do|did|must|should) i (get up|wake up|get out of bed|have to get up|leave my bed)?
      (when|at what time|for when) (does my alarm ring|does my alarm go off|is my alarm|is my alarm set|does my day start)?
      (do you|can you) (know|remember|recall|tell me|say) (when i get up|when i wake up|my alarm time)?
      (what is|what's|tell me|say) my (alarm|wake-up time|alarm time|time to get up|time for getting up)( again|)?
      (tell me|i forgot|need to know) (when i get up|what time i wake up|when my alarm rings)( please|)
      (getting up|waking up|my alarm|the alarm clock)(, | - |: )(when is that for me|what time again|at what time|when)?
      ---
      how early am i up?`,
  },
}
