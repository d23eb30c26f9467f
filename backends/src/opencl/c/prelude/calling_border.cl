// `border`: 0 undefined, 1 constant (`_border`: its bits), 2 replicate, 3 reflect, 4 reflect101, 5 wrap.
