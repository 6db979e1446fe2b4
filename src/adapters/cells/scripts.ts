// The two scripts of our own that run inside a cell's sandbox: one lays the project out before the participant comes,
// one collects what is left when it has gone. Both are fixed texts; what varies comes as arguments.
//
// The second never reads the participant's `.git`: its configuration, hooks and index could say anything. It has the
// base's objects and index from the first, in a folder that the participant never saw.

// No attribute of a tree may change a byte on the way in or out, run a filter or hide a line end.
const BYTES_AS_THEY_ARE = '* -text -ident -filter -working-tree-encoding';

/** In the folder that no participant sees: the masked files of the tree, each with a NUL behind it. */
export const MASKED = 'masked';

/**
 * Arguments: project, keep, commit. Reads the pack from its input. What is masked is taken away after the index was kept: it
 * stays in the tree of the work, and the participant's own git does not miss it either.
 */
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
test -s "$keep/${MASKED}" || exit 0
xargs -0 rm -f -- < "$keep/${MASKED}"
sed -z 's,/[^/]*$,,;t;d' "$keep/${MASKED}" | sort -z -u | xargs -0 -r -n 1 rmdir -p --ignore-fail-on-non-empty --
git update-index -z --skip-worktree --stdin < "$keep/${MASKED}"
`;

/** What one cell may hand over, counted before a byte of it is hashed. */
const WORK_FILES_MAX = 20_000;
const WORK_BYTES_MAX = 256 << 20;

/** The longest path that Git can open: it leaves out what lies deeper, without a word. */
const PATH_BYTES_MAX = 4000;

/** The exit code for work that is too much; what it is stands in the last line of the error stream. */
export const TOO_MUCH = 77;

/**
 * Arguments: project, keep, base. Prints the tree, how many files were left out, their first names, and a pack of all
 * that the base does not have. Left out is what the base's rules ignore, and what is neither a file, a folder nor a link:
 * a participant that hides a file by a rule of its own hides nothing. A masked file that is not there was never there for
 * the participant and stays as it was; one that it wrote is its change like any other, and so is anything that it put where
 * the file's folders would be (`--replace`).
 */
export const COLLECT = `set -eu
project=$1 keep=$2 base=$3
export LC_ALL=C GIT_DIR="$keep/repo.git" GIT_INDEX_FILE="$keep/index" GIT_WORK_TREE="$project"
too_much() { echo "$1" >&2; exit ${TOO_MUCH}; }
names() { tr -cd '\\0' < "$1" | wc -c; }
git config core.bigFileThreshold 1m
git config core.looseCompression 1
git config core.fsync none
git config pack.threads 1
mkdir "$keep/rules"
cd "$project"
longest=$(find . -name .git -prune -o -print0 2>/dev/null | cut -z -b ${PATH_BYTES_MAX + 3}- | tr -d '\\0\\n' | head -c 1 | wc -c)
test "$longest" = 0 || too_much 'a path has more than ${PATH_BYTES_MAX} bytes'
if test -s "$keep/${MASKED}"; then
  git ls-files -z --deleted | sort -z > "$keep/missing"
  sort -z "$keep/${MASKED}" | comm -z -12 - "$keep/missing" > "$keep/unseen"
  git update-index -z --skip-worktree --stdin < "$keep/unseen"
fi
git ls-files -z -- ':(glob)**/.gitignore' | git checkout-index -z --stdin --prefix="$keep/rules/"
git ls-files -z --others > "$keep/others"
cd "$keep/rules"
GIT_WORK_TREE="$keep/rules" git check-ignore -z --stdin --no-index < "$keep/others" > "$keep/ignored" || test $? = 1
cd "$project"
sort -z "$keep/others" > "$keep/others.sorted"
sort -z "$keep/ignored" > "$keep/ignored.sorted"
comm -z -23 "$keep/others.sorted" "$keep/ignored.sorted" | sed -z 's,/$,,' > "$keep/wanted"
git diff-files -z --name-only --diff-filter=d > "$keep/changed"
cat "$keep/changed" "$keep/wanted" > "$keep/all"
test "$(names "$keep/all")" -le ${WORK_FILES_MAX} || too_much 'more than ${WORK_FILES_MAX} files'
bytes=$(xargs -0 -r stat -c %s -- < "$keep/all" | awk '{ sum += $1 } END { printf "%.0f", sum }')
test "$bytes" -le ${WORK_BYTES_MAX} || too_much 'more than ${WORK_BYTES_MAX} bytes'
git add -u
git update-index -z --add --replace --stdin < "$keep/wanted"
tree=$(git write-tree)
find . -name .git -prune -o ! -type f ! -type d ! -type l -printf '%P\\0' 2>/dev/null | sort -z > "$keep/special"
cat "$keep/special" "$keep/ignored.sorted" > "$keep/dropped"
head -z -n 100 "$keep/dropped" > "$keep/shown"
printf 'tree %s\\ndropped %d %d\\n' "$tree" "$(names "$keep/dropped")" "$(wc -c < "$keep/shown")"
cat "$keep/shown"
printf '%s\\n^%s\\n' "$tree" "$base" | git pack-objects -q --revs --stdout --delta-base-offset
`;
