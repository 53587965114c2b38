import type { Written } from './relation.ts'

/** Where people live and keep things, what they own, and what is where in house and club. */
export const aboutHome: Readonly<Record<string, Written>> = {
  home: {
    value: '{city}',
    said: `
      (i live|i'm living) in {city}
      i moved to {city}
      my home is in {city}
      (i reside|i dwell|i'm settled|i am living|i'm living right now|i have a house|i have an apartment|i rent a room) in {city}
      my (house|apartment|address|family home) is in {city}
      ---
      i'm based in {city}
      my flat is in {city}`,
    topic: `
      (where i live|my city|my home|the city i live in)
      (where|the place in which|in which city) i (live|reside|dwell|am living)
      (my (address|hometown|city of residence)|where my (house|apartment|home) is|where i (settled|moved to))
      ---
      my place of residence
      the town i'm in`,
    ask: `
      where do i live?
      (which|what) city do i live in?
      in (which|what) city do i live?
      do you (know|remember) where i live?
      where is my home?
      tell me where i live
      where did i move to?
      (in |)(which|what) city (do i reside|am i living|is my home|is my house|is my apartment|have i settled|did i settle)( in|)?
      (could|can|would) you (please |)(remind me|let me know|say|look up) (where i live|which city i live in|where my home is)?
      (i need to know|i'd like to know|i want to hear|i have no idea any more|i can't recall) where i (live|am living|reside|moved to)
      (where is it that i live|where i am living|where am i living|where do i reside|where's my house|where do i dwell)?
      (did i ever tell you|have i told you|have i mentioned|do you happen to know|are you aware|you know) where i (live|reside|moved to)?
      (my city|my hometown|city i live in|home city|my address)(, please|, quick|: which one|, which is it)?
      (mind telling me|would you mind saying) (where i live|where my home is|which city i live in)?
      (i need to fill in a form|for this form|the postman asks). (which city is mine|where do i live|what's my city)?
      (to (which|what) city|where) (have i moved|did i relocate|did i go to live)?
      ---
      in what town am i at home?
      what place do i call home?
      where am i based?`,
  },
  origin: {
    value: '{country}',
    said: `
      i come from {country}
      (i'm|i am) from {country}
      i was born in {country}
      i grew up in {country}
      (i originate|i hail) from {country}
      (my native country|my birthplace|my motherland) is {country}
      ---
      my home country is {country}
      i have my roots in {country}`,
    topic: `
      (where i come from|where i'm from|my country)
      (the country|which country|what country) i (come|am|originate|hail) from
      (my (native country|birthplace|motherland|nationality)|where i (was born|grew up|was raised|hail from))
      ---
      my origin
      where my roots are`,
    ask: `
      where do i come from?
      where am i from?
      (which|what) country (am i|do i come) from?
      where was i born?
      where did i grow up?
      do you (know|remember) where i'm from?
      tell me where i come from
      (which|what) (country|nation) (was i born in|did i grow up in|is mine|was i raised in|do i hail from|do i originate from)?
      (could|can|would) you (please |)(tell me|remind me|let me know|recall) (where i'm from|where i was born|which country i come from)?
      (i'd love to hear|i want to know|got to know|i can't recall|need to know) (where i come from|where i was born|which country i'm from)
      (where is it that i come from|from where am i|from where do i come|where i am from|where was i raised|where do i hail from)?
      (my nationality|my native country|country of birth|my birthplace|my motherland)(, please|, quick|: which one|, tell me|)?
      (have i said|did i mention|have i ever told you|did i tell you) (where i'm from|where i was born|where i grew up|which country i come from)?
      (what nationality am i|what is my nationality|what's my birthplace|what's my native country|what country raised me)?
      people keep asking (where i'm from|where i was born). (what should i say|what did i tell you|do you know)?
      ---
      what is my home country?
      in what country are my roots?`,
  },
  belonging: {
    key: '{belonging}',
    value: '{place}',
    said: `
      my {belonging} is in the {place}
      i keep my {belonging} in the {place}
      i put my {belonging} in the {place}
      my {belonging} is kept in the {place}
      i left my {belonging} in the {place}
      my {belonging} (is stored|is lying|was left|is packed away|should be|stays|sits|is hidden) in the {place}
      i (leave|put away|hide|usually put|always put|always keep) my {belonging} in the {place}
      ---
      my {belonging} lies in the {place}
      i store my {belonging} in the {place}`,
    topic: `
      (where my {belonging} is|my {belonging}|the place of my {belonging})
      (where i (keep|put|left)|the location of|the whereabouts of|the hiding place of|the spot of) my {belonging}
      where my {belonging} (is kept|is stored|went|has gone|belongs|can be found)
      ---
      where i have my {belonging}
      where to find my {belonging}`,
    ask: `
      (where is|where's) my {belonging}?
      where (do i keep|did i put|did i leave) my {belonging}?
      where can i find my {belonging}?
      do you (know|remember) where my {belonging} is?
      tell me where my {belonging} is
      i can't find my {belonging}, where is it?
      (where did|where has|where have) my {belonging} (go|gone|got to|end up|ended up|disappear to|vanished)?
      (can't find|cannot find|i lost|i've misplaced|i misplaced|i'm missing|i can't see) my {belonging}(, help|, where did i put it|, where is it|. where could it be|)?
      (need|i need|i want|gotta have|have to have) my {belonging}( now|, where is it|, where did i leave it|. where do i keep it)?
      (where was it that i (put|left)|where do i (store|usually put|hide)|where have i (put|left|hidden)|where should i look for) my {belonging}?
      (could|can|would) you (please |)(remind me|let me know|say|look up) where (my {belonging} is|i put my {belonging}|i left my {belonging})?
      my {belonging}(, where|? where|: where is it| - location|: in which place|, where did it go|, please find it)?
      (whereabouts of|location of|place of|the spot for) my {belonging}(, please|, quick|)?
      (mind telling me|did i tell you|have i told you|tell me again|i forgot|i can't recall|no clue) where (i keep|i put|i left) my {belonging}
      (help me (find|locate|track down)|who has seen|have you seen|did you see|how do i find) my {belonging}?
      in (which|what) (room|drawer|corner|box|spot) (is|did i put|do i keep|did i leave|have i got) my {belonging}?
      ---
      in what place is my {belonging}?
      any idea where my {belonging} could be?
      i'm looking for my {belonging}`,
  },
  car: {
    value: '{car}',
    said: `
      i drive a {car}
      i have a {car}
      my car is a {car}
      i bought a {car}
      (i drive around in|i go to work in|i got|i have got|i'm the owner of|i travel in) a {car}
      my (vehicle is|ride is|wheels are|family car is|set of wheels is) a {car}
      ---
      i own a {car}
      i get around in a {car}`,
    topic: `
      (my car|what i drive|which car i have)
      (my (vehicle|wheels|ride|set of wheels)|the (car|vehicle) (i drive|i bought|that is mine)|what (car|vehicle) i drive|what i'm driving)
      ---
      the car i own`,
    ask: `
      (which|what) car do i (drive|have)?
      what do i drive?
      (what is|what's) my car?
      do you (know|remember) what i drive?
      what kind of car do i have?
      (what (make|brand|model|type|sort)|which (make|brand|model|type)) of (car|vehicle) (do i drive|do i have|is mine|did i buy|have i got)?
      (could|can|would) you (please |)(tell me|remind me|let me know|say) (what i drive|which car i drive|what car i have|what my car is)?
      (my car|my vehicle|my wheels|my ride)(, what is it|: which one|, please|? what make|, what model is it)?
      (what am i driving|what have i got for a car|what vehicle is mine|what's parked in my garage|what car did i buy|what is it that i drive)?
      (i need to know|for the insurance i need|i can't recall|i'd like to hear|i forgot) (which car i have|what i drive|what car i drive|the make of my car)
      (did i tell you|have i mentioned|you know|do you happen to know) (what i drive|which car i have|what kind of car i drive)?
      (the mechanic asks|for the form|the garage wants to know)(: |, )(which car do i drive|what's my car|what do i drive)?
      ---
      what do i get around in?
      name the car i own`,
  },
  size: {
    value: '{number}',
    said: `
      my shoe size is {number}
      my size in shoes is {number}
      i wear size {number} shoes
      (my feet are size|i need shoes in size|i buy shoes in size|i have shoe size|i wear shoes in size|i'm a shoe size|my shoes are size) {number}
      ---
      i take size {number} in shoes`,
    topic: `
      (my shoe size|the size of my shoes)
      (my (foot size|size in shoes|footwear size|size of shoe|shoe number)|(which|what) (size of shoes|shoe size) i (wear|need|have))
      ---
      how big my shoes are`,
    ask: `
      (what is|what's) my shoe size?
      (which|what) size are my shoes?
      do you (know|remember) my shoe size?
      what size of shoes do i wear?
      (which|what) (shoe size|size in shoes|footwear size|foot size) (do i have|do i need|is mine|am i|do i wear|have i got|should i buy)?
      (could|can|would) you (please |)(tell me|remind me|let me know|look up) (my shoe size|what size my shoes are|which shoe size i wear)?
      (my shoe size|shoe size|size of my shoes|my foot size|size for shoes)(, please|, quick|: which|? i forgot|, what number|)?
      i'm (buying|ordering|trying on|getting) (shoes|boots|trainers|sandals)(, |. )(which size do i need|what's my size|what size am i|remind me of my size)?
      (i need|i forgot|i can't recall|have to know|i want to know) my (shoe size|size in shoes|foot size)
      (in (which|what) size do i (buy|order|need)|what number is on) my shoes?
      ---
      how big are my feet?`,
  },
  number: {
    key: '{numbered}',
    value: '{big}',
    said: `
      my {numbered} is {big}
      my {numbered}'s {big}
      (my {numbered} is now|my {numbered} is:|i have {numbered}|i got {numbered}|my {numbered} should be|my new {numbered} is) {big}
      ---
      my {numbered} has become {big}`,
    topic: `
      (my {numbered}|what my {numbered} is)
      (the number of|the digits of|the value of|the figure for) my {numbered}
      (my own {numbered}|my exact {numbered}|(the|which) {numbered} i (got|told you|was assigned)|the {numbered} that is mine)
      ---
      which {numbered} i have`,
    ask: `
      (what is|what's) my {numbered}?
      do you (know|remember) my {numbered}?
      (which|what) {numbered} do i have?
      tell me my {numbered}
      i forgot my {numbered}, what is it?
      (could|can|would) you (please |)(tell me|remind me of|look up|find|dig out|read out|let me have) my {numbered}?
      my {numbered}(, please|: what is it|? i forgot|, what was that|, quick|, i need it now|, can you look|)
      (i need|i have to enter|they want|they asked me for|i'm being asked for|i must write down) my {numbered}(, what is it|, please tell me|)?
      (can't find|can't recall|i lost|i don't know any more|i mixed up|i have no clue about) my {numbered}(, do you have it|, help|)
      (which|what) (number|one) is my {numbered}?
      (which|what) {numbered} (is mine|did i get|did i tell you|am i|is the one i have|was it that i have|belongs to me)?
      (did i tell you|have you got|do you have|have you still got|have i mentioned|you know) my {numbered}?
      (what do i (write|enter|put|type) (for|as|under)|how does it go,|what does it say for|what should i say is) my {numbered}?
      ---
      what {numbered} was given to me?
      my {numbered} is what?`,
  },
  device: {
    key: '{device}',
    value: '{coined}',
    said: `
      my {device} is called {coined}
      my {device}'s name is {coined}
      i have named my {device} {coined}
      (i call my {device}|i gave my {device} the name|my {device} bears the name|my {device} is named|my {device} has been christened|i christen my {device}) {coined}
      ---
      my {device} goes by {coined}`,
    topic: `
      (my {device}'s name|what my {device} is called|the name of my {device})
      (what i (named|call|christened)|the title of|the label of|the nickname of|the name i gave) my {device}
      ---
      how my {device} is called`,
    ask: `
      (what is|what's) my {device} called?
      (what is|what's) the name of my {device}?
      how is my {device} called?
      what did i name my {device}?
      do you (know|remember) my {device}'s name?
      (could|can|would) you (please |)(tell me|remind me of|look up|let me have|say) (the name of my {device}|what my {device} is called)?
      (which|what) name (does my {device} have|has my {device} got|did my {device} get|is on my {device}|belongs to my {device})?
      (name of my {device}|my {device}'s name|my {device} name)(, please|, quick|, what is it|? i forgot|)
      (what do i call|what have i named|what did i christen|how did i name|how do i call|what's the title of) my {device}?
      (i need|i forgot|i can't recall|i have to know|i'd love to know|i want to hear) (the name of my {device}|my {device}'s name|what my {device} is called)
      (did i tell you|have i mentioned|you know|do you still have|do you happen to know) (what my {device} is called|the name of my {device})?
      my {device}(, what name has it|: what is its name|, tell me its name|, what do i call it|? its name, please)
      ---
      what name did i give my {device}?`,
  },
  thing: {
    target: 'memory',
    key: '{thing}',
    value: '{place}',
    said: `
      the {thing} is in the {place}
      the {thing} is kept in the {place}
      we keep the {thing} in the {place}
      the {thing} can be found in the {place}
      the {thing} is now in the {place}
      (somebody put|they put|they keep|we store|we left|people keep) the {thing} in the {place}
      the {thing} (is stored|was left|stands|is stowed|has moved to a spot|was put|belongs|should be|stays|is always) in the {place}
      ---
      the {thing} lies in the {place}
      the {thing} has its place in the {place}`,
    topic: `
      (where the {thing} is|the {thing}|the place of the {thing})
      (the (location|whereabouts|spot) of|where we (keep|put|left|store)|where one finds|where they put) the {thing}
      where the {thing} (is kept|is stored|belongs|went|stands|can be found)
      ---
      where to find the {thing}
      what you know of the {thing}`,
    ask: `
      (where is|where's) the {thing}?
      where can i find the {thing}?
      where do we keep the {thing}?
      do you (know|remember) where the {thing} is?
      tell me where the {thing} is
      i need the {thing}, where is it?
      (where did|where has|where have) the {thing} (go|gone|got to|ended up|disappeared to|been put|vanished)?
      (can't find|cannot find|i can't see|i'm missing|somebody took|we misplaced) the {thing}(, help|, where is it|. where could it be|, where do we keep it)?
      (need|i need|we need|want|gotta get|have to get) the {thing}( now|. where do i look|, where did they put it|. where is it kept)?
      (where did (we|they) put|where do (they|people) keep|where (should|do) i look for|where do i get|where is the place of|where do we store) the {thing}?
      (could|can|would) you (please |)(tell me|remind me|let me know|say) where (the {thing} is|we keep the {thing}|i find the {thing}|the {thing} went)?
      the {thing}(, where|? where|: where is it| - location|: in which place|, where did it go|, please, where)?
      (whereabouts of|location of|place of|where to get) the {thing}(, please|, quick|)?
      in (which|what) (room|drawer|corner|cupboard|box|spot) (is|do we keep|do i find|did they put|will i find) the {thing}?
      (help me (find|locate)|who knows where to get|have you seen|how do i find|how do i get to) the {thing}?
      (did i tell you|have i told you|mind telling me|i forgot|i can't recall|no clue) where (the {thing} is|we keep the {thing}|we put the {thing})
      ---
      in what place is the {thing}?
      i'm looking for the {thing}
      any idea where the {thing} is kept?`,
  },
  chore: {
    target: 'memory',
    key: '{chore}',
    value: '{weekday}',
    said: `
      the {chore} is on {weekday}
      the {chore} is on {weekday}s
      the {chore} is on {weekday} at {hour}
      the {chore} is every {weekday}
      the {chore} was moved to {weekday}
      the {chore} (will be|is always|is planned for|is held|is scheduled for|falls) on {weekday}
      (we have|they have|there is) the {chore} (on|every|each) {weekday}
      ---
      the {chore} takes place on {weekday}
      the {chore} happens each {weekday}`,
    topic: `
      (when the {chore} is|the {chore}|the day of the {chore})
      (the (date|weekday|schedule|time)|the usual day) of the {chore}
      (when|which day|what day) (we have the {chore}|the {chore} comes|the {chore} is held|is set for the {chore})
      ---
      on what day the {chore} is`,
    ask: `
      when is the {chore}?
      when's the {chore}?
      (which|what) day is the {chore}?
      on which day is the {chore}?
      do you (know|remember) when the {chore} is?
      tell me when the {chore} is
      (when (do we have|is there|will there be|do they do|does one do|are we having)|which day do we have|what day do we have) the {chore}?
      (which|what) (day|weekday|day of the week) (is|has|was set for|do they do|is planned for|is reserved for) the {chore}?
      (could|can|would) you (please |)(remind me|let me know|say|check) (when the {chore} is|which day the {chore} is|when we have the {chore})?
      the {chore}(, which day|? when|: on which date|, please, which day| - which day)?
      (i forgot|i can't recall|need to know|i have to know|i don't want to miss it,) (when the {chore} is|which day the {chore} is|the day of the {chore})
      (day of|date of|time of|schedule for) the {chore}(, please|, quick|)?
      (when does|on which weekday does) the {chore} (come|happen|start|fall|come round)?
      ---
      what weekday was the {chore} again?
      the {chore}, when is that?`,
  },
  opens: {
    target: 'memory',
    key: '{shop}',
    value: '{hour}',
    said: `
      the {shop} opens at {hour}
      the {shop} is open from {hour}
      the {shop} opens its doors at {hour}
      (people can go to|customers get into|we can go to|they open) the {shop} from {hour}
      the {shop} (is open after|won't open before|is closed until|lets people in at|lets people in from) {hour}
      ---
      the {shop} starts its day at {hour}`,
    topic: `
      (when the {shop} opens|the opening time of the {shop})
      (the opening hour of|the opening hours of|when they open|from which hour one can go to|how soon one gets into) the {shop}
      ---
      from when the {shop} is open`,
    ask: `
      when does the {shop} open?
      when is the {shop} open?
      (what|which) time does the {shop} open?
      do you (know|remember) when the {shop} opens?
      (when do they open|at what hour do they open|when can i get into|what is the opening time of|when's the opening of) the {shop}?
      (which hour|at what hour|at what time|how soon|by when|from when) (is the {shop} open|will the {shop} open|can people go to the {shop}|does the {shop} let people in)?
      (could|can|would) you (please |)(tell me|remind me|let me know|check) (when the {shop} opens|the opening time of the {shop})?
      (the {shop}, when does it open|the {shop}? from when|opening time of the {shop}|opening hours, the {shop}|opening, the {shop})?
      (i need to|i want to|i have to|i've got to) go to the {shop}(, when does it open|. when do they open|, from when is it open)?
      ---
      from what time can i go to the {shop}?
      how early is the {shop} open?`,
  },
  closes: {
    target: 'memory',
    key: '{shop}',
    value: '{hour}',
    said: `
      the {shop} closes at {hour}
      the {shop} shuts at {hour}
      the {shop} closes its doors at {hour}
      (people|customers|we) (can go to|may stay in|get into) the {shop} until {hour}
      (they (close|shut|lock)|staff close) the {shop} at {hour}
      the {shop} (is open until|stays open till|is open till|locks up at|stops serving at|won't serve after) {hour}
      ---
      the {shop} ends its day at {hour}`,
    topic: `
      (when the {shop} closes|the closing time of the {shop})
      (the closing hour of|when they close|when they lock|until which hour one can stay at) the {shop}
      ---
      until when i can go to the {shop}`,
    ask: `
      when does the {shop} close?
      (what|which) time does the {shop} close?
      until when is the {shop} open?
      do you (know|remember) when the {shop} closes?
      (when do they close|at what hour do they close|when do they lock up|what is the closing time of|when's the closing of) the {shop}?
      (till when|until what time|till what hour|how long) (is the {shop} open|will the {shop} be open|does the {shop} stay open|can people stay at the {shop})?
      (could|can|would) you (please |)(tell me|remind me|let me know|check) (when the {shop} closes|the closing time of the {shop})?
      (the {shop}, when does it close|the {shop}? till when|closing time of the {shop}|closing hour, the {shop}|closing, the {shop})?
      (will i make it|do i need to hurry|do i have to rush) to the {shop}(, when does it close|. when do they close|, until when is it open)?
      ---
      how late can i go to the {shop}?
      when is the {shop} shut?`,
  },
}
