import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;

/** Prints messages, field numbers and wire types of the official Java client's generated protocol classes, one a line.
 *  java -cp "lib/*:." DumpFields lib/pulsar-common-VERSION.jar */
public class DumpFields {
    static final String PACKAGE = "org/apache/pulsar/common/api/proto/";

    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        try (JarFile jar = new JarFile(args[0])) {
            jar.stream().map(e -> e.getName()).filter(n -> n.startsWith(PACKAGE) && n.endsWith(".class") && !n.contains("LightProto"))
                .forEach(n -> names.add(n.substring(0, n.length() - 6).replace('/', '.')));
        }
        Collections.sort(names);
        for (String name : names) {
            Class<?> type = Class.forName(name);
            String simple = name.substring(name.lastIndexOf('.') + 1);
            if (type.isEnum()) {
                for (Object value : type.getEnumConstants()) {
                    System.out.println("enum " + simple + " " + value + " " + type.getMethod("getValue").invoke(value));
                }
                continue;
            }
            for (Field field : type.getDeclaredFields()) {
                if (!field.getName().endsWith("_FIELD_NUMBER")) continue;
                String constant = field.getName().substring(1, field.getName().length() - "_FIELD_NUMBER".length());
                Field tag = type.getDeclaredField("_" + constant + "_TAG");
                field.setAccessible(true);
                tag.setAccessible(true);
                System.out.println("field " + simple + " " + constant + " " + field.getInt(null) + " " + (tag.getInt(null) & 7));
            }
        }
    }
}
