// The two scripts of our own that run inside a cell's sandbox: one lays the project out before the participant comes,
// one collects what is left when it has gone. Both are fixed texts; what varies comes as arguments.
//
// The second never reads the participant's `.git`: its configuration, hooks and index could say anything. It has the
// base's objects and index from the first, in a folder that the participant never saw.

// No attribute of a tree may change a byte on the way in or out, run a filter or hide a line end.
const BYTES_AS_THEY_ARE = '* -text -ident -filter -working-tree-encoding';

/** Arguments: project, keep, commit. Reads the pack from its input. */
export const LAY_OUT = `set -eu
project=$1 keep=$2 commit=$3
git init -q --bare --template= "$keep/repo.git"
mkdir "$keep/repo.git/info"
echo '${BYTES_AS_THEY_ARE}' > "$keep/repo.git/info/attributes"
git --git-dir="$keep/repo.git" index-pack --stdin > /dev/null
cp -R "$keep/repo.git" "$project/.git"
cd "$project"
git config core.bare false
git update-ref refs/heads/mission "$commit"
git symbolic-ref HEAD refs/heads/mission
git read-tree --reset -u "$commit"
cp .git/index "$keep/index"
`;

/**
 * Arguments: project, keep, base. Prints the tree, how many ignored files were left out, their first names, and a pack
 * of all that the base does not have. What is ignored is decided by the base's rules: a participant that hides a file
 * by a rule of its own hides nothing.
 */
export const COLLECT = `set -eu
project=$1 keep=$2 base=$3
export LC_ALL=C GIT_DIR="$keep/repo.git" GIT_INDEX_FILE="$keep/index" GIT_WORK_TREE="$project"
mkdir "$keep/rules"
cd "$project"
git ls-files -z -- ':(glob)**/.gitignore' | git checkout-index -z --stdin --prefix="$keep/rules/"
git add -u
git ls-files -z --others > "$keep/others"
cd "$keep/rules"
GIT_WORK_TREE="$keep/rules" git check-ignore -z --stdin --no-index < "$keep/others" > "$keep/ignored" || test $? = 1
cd "$project"
sort -z "$keep/others" > "$keep/others.sorted"
sort -z "$keep/ignored" > "$keep/ignored.sorted"
comm -z -23 "$keep/others.sorted" "$keep/ignored.sorted" | sed -z 's,/$,,' > "$keep/wanted"
git update-index -z --add --stdin < "$keep/wanted"
tree=$(git write-tree)
head -z -n 100 "$keep/ignored.sorted" > "$keep/shown"
printf 'tree %s\\ndropped %d %d\\n' "$tree" "$(tr -cd '\\0' < "$keep/ignored" | wc -c)" "$(wc -c < "$keep/shown")"
cat "$keep/shown"
printf '%s\\n^%s\\n' "$tree" "$base" | git pack-objects -q --revs --stdout --delta-base-offset
`;
