"""Cities that no time zone is named after, and the zone that their clocks show.

None that is another word as well: Nice, Essen, Split.
"""

_IN = {
    "Europe/Berlin": "aachen bonn bremen cologne darmstadt dortmund dresden duesseldorf düsseldorf "
    "erlangen frankfurt freiburg garching göttingen goettingen hamburg hannover heidelberg "
    "jena karlsruhe kiel köln koeln leipzig mainz mannheim munich münchen muenchen münster "
    "nuremberg nürnberg potsdam saarbrücken saarbruecken stuttgart tübingen tuebingen ulm würzburg",
    "Europe/Zurich": "basel bern geneva genf genève geneve lausanne lugano zürich cern",
    "Europe/Paris": "bordeaux cannes grenoble lille lyon marseille montpellier nantes orsay "
    "palaiseau rennes saclay strasbourg toulouse",
    "Europe/London": "belfast bristol edinburgh glasgow leeds liverpool manchester "
    "nottingham oxford sheffield southampton",
    "Europe/Amsterdam": "delft eindhoven groningen leiden nijmegen rotterdam the_hague twente "
    "utrecht",
    "Europe/Brussels": "antwerp ghent leuven louvain",
    "Europe/Madrid": "barcelona bilbao granada seville sevilla valencia zaragoza",
    "Europe/Rome": "bologna florence firenze genoa genova milan milano naples napoli padova padua "
    "pavia pisa torino trento trieste turin venice",
    "Europe/Vienna": "graz innsbruck linz salzburg wien",
    "Europe/Warsaw": "gdansk krakow kraków wroclaw wrocław poznan",
    "Europe/Stockholm": "gothenburg göteborg linköping lund uppsala",
    "Europe/Copenhagen": "aarhus odense",
    "Europe/Oslo": "bergen trondheim",
    "Europe/Helsinki": "espoo tampere turku",
    "Europe/Lisbon": "coimbra porto",
    "Europe/Athens": "heraklion thessaloniki",
    "America/New_York": "ann_arbor atlanta baltimore boston buffalo ithaca miami new_haven "
    "philadelphia pittsburgh princeton washington",
    "America/Chicago": "austin dallas evanston houston madison minneapolis nashville new_orleans "
    "urbana",
    "America/Denver": "albuquerque los_alamos salt_lake_city",
    "America/Los_Angeles": "berkeley irvine mountain_view palo_alto pasadena portland riverside "
    "san_diego san_francisco santa_barbara santa_cruz seattle stanford",
    "America/Toronto": "montréal ottawa quebec waterloo",
    "America/Edmonton": "banff calgary",
    "America/Sao_Paulo": "campinas rio rio_de_janeiro são_paulo",
    "Asia/Shanghai": "beijing chengdu guangzhou hangzhou hefei nanjing peking shenzhen suzhou "
    "tianjin wuhan xian xi'an",
    "Asia/Tokyo": "kobe kyoto nagoya okinawa osaka sapporo sendai tsukuba yokohama",
    "Asia/Seoul": "busan daejeon pohang",
    "Asia/Taipei": "hsinchu",
    "Asia/Kolkata": "bangalore bengaluru bombay chennai delhi hyderabad kanpur mumbai "
    "new_delhi pune",
    "Asia/Jerusalem": "beer_sheva haifa rehovot",
    "Asia/Riyadh": "thuwal",
    "Asia/Dubai": "abu_dhabi",
    "Australia/Sydney": "wollongong",
}
CITIES = {city: zone for zone, cities in _IN.items() for city in cities.split()}
