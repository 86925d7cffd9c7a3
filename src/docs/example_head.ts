/**
 * What the examples of every page begin with: the address of the service, a token, and two functions that
 * read an answer. They show an answer in which they do not find what they look for, such as an error.
 */
export const exampleHead = String.raw`crm=http://127.0.0.1:8000
part() { local answer=$(cat); grep -oE "$1" <<< "$answer" || echo "$answer" >&2; }
value() { part "\"$1\":(\"[^\"]*\"|[0-9]+)" | sed -n 1p | cut -d : -f 2- | tr -d '"'; }
client_id=$(value client_id < data/demo.json)
client_secret=$(value client_secret < data/demo.json)
token=$(curl -sS $crm/auth/token -u $client_id:$client_secret -d grant_type=client_credentials | value access_token)
`;
