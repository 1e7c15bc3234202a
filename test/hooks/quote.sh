# Sourced by hooks that print text: quote TEXT sets $quoted to it as a JSON string. Starts no process, so it works without PATH.

newline='
'
tab='	'

quote() {
  rest=$1 quoted='"'
  while [ -n "$rest" ]; do
    tail=${rest#?}
    char=${rest%"$tail"}
    case $char in
      \" | \\) quoted=$quoted\\$char ;;
      "$newline") quoted=$quoted\\n ;;
      "$tab") quoted=$quoted\\t ;;
      *) quoted=$quoted$char ;;
    esac
    rest=$tail
  done
  quoted=$quoted\"
}
